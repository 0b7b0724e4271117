import fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryDelayMs } from './retry.ts';

test('is between 1 s and 15 s for any random value and number of failures', () => {
  fc.assert(
    fc.property(fc.nat(10_000), fc.double({ min: 0, max: 0.999_999, noNaN: true }), (n, random) => {
      const delay = retryDelayMs(n, null, random);
      expect(delay).toBeGreaterThanOrEqual(1_000);
      expect(delay).toBeLessThanOrEqual(15_000);
    }),
  );
});

test('grows to 15 s and is randomized from the first failure on', () => {
  expect([0, 1, 2, 3, 4].map((n) => retryDelayMs(n, null, 0.999_999))).toEqual([
    2_000, 4_000, 8_000, 15_000, 15_000,
  ]);
});

test('is at least the Retry-After, even above 15 s', () => {
  expect(retryDelayMs(0, 40_000, 0)).toBe(40_000);
  expect(retryDelayMs(9, 40_000, 0.5)).toBe(40_500);
});
