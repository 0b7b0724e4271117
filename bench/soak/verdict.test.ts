import { expect, it } from 'vitest';
import { slopeOf } from './least-squares.ts';
import type { Sample } from './sample.ts';
import { evaluateSoak } from './verdict.ts';

it('computes the slope with and without noise', () => {
  expect(slopeOf([])).toBeUndefined();
  expect(slopeOf([{ x: 1, y: 5 }])).toBeUndefined();
  const line = Array.from({ length: 20 }, (_, x) => ({ x, y: 3 * x + 7 }));
  expect(slopeOf(line)).toBeCloseTo(3, 10);
  // Noise that cancels out in groups of four.
  const noisy = line.map(({ x, y }) => ({ x, y: y + [1, -1, -1, 1][x % 4]! }));
  expect(slopeOf(noisy)).toBeCloseTo(3, 1);
});

/** An hour without growth, with changes. */
function hour(change: (minute: number) => Partial<Sample> = () => ({})): Sample[] {
  return Array.from({ length: 61 }, (_, minute) => ({
    minute,
    rssMb: 200,
    heapMb: 80,
    externalMb: 10,
    loopP99Ms: 20,
    handles: 1_500,
    ...change(minute),
  }));
}

it.each<[string, Sample[]]>([
  ['resident memory grows', hour((minute) => ({ rssMb: 200 + minute / 4 }))],
  ['the heap grows', hour((minute) => ({ heapMb: 80 + minute / 5 }))],
  ['the event loop stalls once', hour((m) => (m === 40 ? { loopP99Ms: 51 } : {}))],
  ['handles grow', hour((minute) => ({ handles: 1_500 + minute }))],
])('fails when %s', (_, samples) => {
  expect(evaluateSoak(samples, 10).reached).toBe(false);
});

it('passes when memory grows only during the warm-up', () => {
  const samples = hour((minute) => ({ rssMb: Math.min(200, 100 + minute * 10) }));
  expect(evaluateSoak(samples, 10)).toMatchObject({ reached: true, rssMbAnHour: 0 });
  expect(() => evaluateSoak(samples, 60)).toThrow('too few');
});
