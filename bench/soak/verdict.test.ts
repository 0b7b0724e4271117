import { expect, it } from 'vitest';
import { slopeOf } from './least-squares.ts';
import type { Sample } from './sample.ts';
import { evaluateSoak } from './verdict.ts';

it('the slope is that of the line, noise or not', () => {
  expect(slopeOf([])).toBeUndefined();
  expect(slopeOf([{ x: 1, y: 5 }])).toBeUndefined();
  const line = Array.from({ length: 20 }, (_, x) => ({ x, y: 3 * x + 7 }));
  expect(slopeOf(line)).toBeCloseTo(3, 10);
  // As much above as below, alternating in pairs that cancel out.
  const noisy = line.map(({ x, y }) => ({ x, y: y + [1, -1, -1, 1][x % 4]! }));
  expect(slopeOf(noisy)).toBeCloseTo(3, 1);
});

/** An hour in which nothing grows, but for what is said. */
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
  ['the event loop stands still once', hour((m) => (m === 40 ? { loopP99Ms: 51 } : {}))],
  ['handles grow', hour((minute) => ({ handles: 1_500 + minute }))],
])('a soak has failed when %s', (_, samples) => {
  expect(evaluateSoak(samples, 10).reached).toBe(false);
});

it('a soak is well when only the warm-up grows', () => {
  const samples = hour((minute) => ({ rssMb: Math.min(200, 100 + minute * 10) }));
  expect(evaluateSoak(samples, 10)).toMatchObject({ reached: true, rssMbAnHour: 0 });
  expect(() => evaluateSoak(samples, 60)).toThrow('too few');
});
