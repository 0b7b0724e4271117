import { AggregatorRegistry } from 'prom-client';
import { expect, it } from 'vitest';
import { counter, gauge, histogram, type Metric } from './metric.ts';
import { ProcessCounts } from './process-counts.ts';
import { Buckets } from './save-metrics.ts';

function metricsOf(saved: number, failed: number): Metric[] {
  const seconds = new Buckets([1]);
  for (let i = 0; i < saved; i += 1) seconds.add(0.5);
  return [
    counter('saves_total', 'Saves', 'outcome', { saved, failed }),
    histogram('save_seconds', 'Time of saves', seconds),
    gauge('streams_open', 'Open streams', 7),
  ];
}

async function aggregated(all: Metric[][]): Promise<string> {
  return AggregatorRegistry.aggregate(all).metrics();
}

it('keeps the counters of ended processes in the sum, and no other metric of them', async () => {
  const counts = new ProcessCounts<string>();
  counts.set('one', metricsOf(1, 1));
  counts.set('one', metricsOf(3, 1));
  counts.set('two', metricsOf(10, 0));
  counts.end('one');
  expect(counts.lastOf('one')).toEqual([]);
  counts.end('two');
  // One that never reported leaves nothing.
  counts.end('three');
  counts.set('four', metricsOf(100, 5));
  const text = await aggregated([counts.ended, counts.lastOf('four')]);
  expect(text).toContain('saves_total{outcome="saved"} 113\n');
  expect(text).toContain('saves_total{outcome="failed"} 6\n');
  expect(text).toContain('save_seconds_bucket{le="1"} 113\n');
  expect(text).toContain('save_seconds_sum 56.5\n');
  expect(text).toContain('save_seconds_count 113\n');
  expect(text).not.toContain('streams_open');
});
