import { expect, it } from 'vitest';
import { countLost, countResponse, figuresOf, newCounts, sumCounts } from './latencies.ts';

const silent = () => '';

it('counts refused, failed and missing responses separately and stores the first error', () => {
  const counts = newCounts();
  countResponse(counts, 200, 1, silent);
  countResponse(counts, 409, 1, () => 'no');
  countResponse(counts, 503, 1, () => 'away');
  countLost(counts, 'cut', 1);
  expect(figuresOf(counts)).toMatchObject({
    ok: 1,
    refused: 1,
    failed: 1,
    unanswered: 1,
    firstTrouble: 'no',
  });
});

it('computes percentiles to three significant digits', () => {
  const counts = newCounts();
  for (let ms = 1; ms <= 1_000; ms += 1) countResponse(counts, 200, ms, silent);
  const { p50Ms, p99Ms, p999Ms, longestMs } = figuresOf(counts);
  const near = (value: number, expected: number) =>
    expect(Math.abs(value / expected - 1)).toBeLessThan(0.005);
  near(p50Ms, 500);
  near(p99Ms, 990);
  near(p999Ms, 999);
  near(longestMs, 1_000);
});

it('counts missing responses as slow ones', () => {
  const counts = newCounts();
  for (let i = 0; i < 97; i += 1) countResponse(counts, 200, 1, silent);
  for (let i = 0; i < 3; i += 1) countLost(counts, 'nothing came in time', 30_000);
  expect(figuresOf(counts).p99Ms).toBeGreaterThan(29_000);
});

it('computes a p99 for each ten seconds', () => {
  const counts = newCounts();
  countResponse(counts, 200, 2_000, silent, 9_999);
  countLost(counts, 'no answer', 30, 25_000);
  for (let i = 0; i < 10; i += 1) countResponse(counts, 200, 10, silent, 10_000 + i);
  const [first, second, third, ...more] = figuresOf(counts).p99MsByTenSeconds;
  expect(first).toBeGreaterThan(1_990);
  expect(second).toBeLessThan(11);
  expect(third).toBeGreaterThan(29);
  expect(more).toEqual([]);
});

it('sums the counts of several load generators', () => {
  const [one, other] = [newCounts(), newCounts()];
  for (let i = 0; i < 98; i += 1) countResponse(one, 200, 10, silent, 500);
  countResponse(one, 200, 10, silent, 30_500);
  for (let i = 0; i < 98; i += 1) countResponse(other, 200, 20, silent, 10_500);
  countLost(other, 'cut', 4_000, 10_600);
  const { p50Ms, longestMs, p99MsByTenSeconds, ...counted } = figuresOf(sumCounts([one, other]));
  expect(counted).toMatchObject({ ok: 197, unanswered: 1, firstTrouble: 'cut' });
  expect(p50Ms).toBe(10);
  expect(longestMs).toBe(4_000);
  expect(p99MsByTenSeconds).toEqual([10, 4_000, 0, 10]);
});
