import { AggregatorRegistry } from 'prom-client';
import { expect, it } from 'vitest';
import { type Figure, gauge, histogram, tally } from './figure.ts';
import { KeptCounts } from './kept-counts.ts';
import { Buckets } from './save-figures.ts';

function figures(saved: number, failed: number): Figure[] {
  const seconds = new Buckets([1]);
  for (let i = 0; i < saved; i += 1) seconds.add(0.5);
  return [
    tally('saves_total', 'Saves', 'outcome', { saved, failed }),
    histogram('save_seconds', 'Time of saves', seconds),
    gauge('streams_open', 'Open streams', 7),
  ];
}

async function told(all: Figure[][]): Promise<string> {
  return AggregatorRegistry.aggregate(all).metrics();
}

it('the counts of processes that ended stay in the sum, and nothing else of theirs', async () => {
  const kept = new KeptCounts<string>();
  kept.note('one', figures(1, 1));
  kept.note('one', figures(3, 1));
  kept.note('two', figures(10, 0));
  kept.leave('one');
  expect(kept.lastOf('one')).toEqual([]);
  kept.leave('two');
  // One that was never asked leaves nothing.
  kept.leave('three');
  kept.note('four', figures(100, 5));
  const text = await told([kept.ofGone, kept.lastOf('four')]);
  expect(text).toContain('saves_total{outcome="saved"} 113\n');
  expect(text).toContain('saves_total{outcome="failed"} 6\n');
  expect(text).toContain('save_seconds_bucket{le="1"} 113\n');
  expect(text).toContain('save_seconds_sum 56.5\n');
  expect(text).toContain('save_seconds_count 113\n');
  expect(text).not.toContain('streams_open');
});
