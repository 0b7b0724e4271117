import { seededRandom } from '@invigil/core/domain/questions/draw';
import { expect, it } from 'vitest';
import { arrivals } from './arrivals.ts';

it('the same seed gives the same plan, a different seed a different one', () => {
  const plan = (seed: string) => arrivals(seededRandom(seed), 5, 10_000);
  expect(plan('7')).toEqual(plan('7'));
  expect(plan('8')).not.toEqual(plan('7'));
});

it('follows the rate, in order, within the time, with every kind of action', () => {
  const plan = arrivals(seededRandom('7'), 5, 200_000);
  expect(plan.length).toBeGreaterThan(900);
  expect(plan.length).toBeLessThan(1_100);
  const times = plan.map(({ at }) => at);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(times.at(-1)).toBeLessThan(200_000);
  expect(new Set(plan.map(({ what }) => what)).size).toBe(4);
});
