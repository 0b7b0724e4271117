import { expect, test } from 'vitest';
import { plausibleFloorDb, roomFloorDb, shownLevel } from './sound-level.ts';

test('shows twice the decibels above the floor, between 0 and 120', () => {
  expect(shownLevel(-60, -60)).toBe(0);
  expect(shownLevel(-70, -60)).toBe(0);
  expect(shownLevel(-43, -60)).toBe(34);
  expect(shownLevel(0, -90)).toBe(120);
});

test('takes a low quantile of enough samples as the floor, never that of a noise gate', () => {
  expect(roomFloorDb([-60, -59, -58, -60])).toBeNull();
  expect(roomFloorDb([-60, -59, -61, -20, -18, -60, -59, -22])).toBe(-60);
  expect(roomFloorDb([-100, -100, -100, -30, -100, -100])).toBe(-65);
});

test('accepts only a plausible stored floor', () => {
  expect(plausibleFloorDb(-55.5)).toBe(-55.5);
  for (const value of [0, 10, -100, Number.NaN, '-55', null]) {
    expect(plausibleFloorDb(value)).toBeNull();
  }
});
