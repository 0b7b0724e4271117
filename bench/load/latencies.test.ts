import { expect, it } from 'vitest';
import { Latencies } from './latencies.ts';

const silent = () => '';

it('tells refused, failed and missing answers apart, and remembers the first trouble', () => {
  const latencies = new Latencies();
  latencies.answered(200, 1, silent);
  latencies.answered(409, 1, () => 'no');
  latencies.answered(503, 1, () => 'away');
  latencies.lost('cut', 1);
  expect(latencies.figures()).toMatchObject({
    ok: 1,
    refused: 1,
    failed: 1,
    unanswered: 1,
    firstTrouble: 'no',
  });
});

it('has the percentiles of what it was given, to a thousandth', () => {
  const latencies = new Latencies();
  for (let ms = 1; ms <= 1_000; ms += 1) latencies.answered(200, ms, silent);
  const { p50Ms, p99Ms, p999Ms, longestMs } = latencies.figures();
  const near = (value: number, expected: number) =>
    expect(Math.abs(value / expected - 1)).toBeLessThan(0.002);
  near(p50Ms, 500);
  near(p99Ms, 990);
  near(p999Ms, 999);
  near(longestMs, 1_000);
});

it('counts what never came among the slow ones', () => {
  const latencies = new Latencies();
  for (let i = 0; i < 97; i += 1) latencies.answered(200, 1, silent);
  for (let i = 0; i < 3; i += 1) latencies.lost('nothing came in time', 30_000);
  expect(latencies.figures().p99Ms).toBeGreaterThan(29_000);
});

it('the slow beginning of a part is told apart from the rest', () => {
  const latencies = new Latencies();
  latencies.answered(200, 2_000, silent, 9_999);
  latencies.lost('no answer', 30, 25_000);
  for (let i = 0; i < 10; i += 1) latencies.answered(200, 10, silent, 10_000 + i);
  const [first, second, third, ...more] = latencies.figures().p99MsByTenSeconds;
  expect(first).toBeGreaterThan(1_990);
  expect(second).toBeLessThan(11);
  expect(third).toBeGreaterThan(29);
  expect(more).toEqual([]);
});
