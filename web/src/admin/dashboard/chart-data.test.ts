import { expect, test } from 'vitest';
import { binName, heightOf } from '../../ui/bar-chart.tsx';
import { dayBars, scoreBars, totalOf } from './dashboard-screen.tsx';

test('has ten bins, the last one closed on both ends', () => {
  const bars = scoreBars([1, 0, 0, 0, 0, 0, 0, 0, 2, 3]);
  expect(bars[0]).toEqual({ name: '0 to 9', count: 1 });
  expect(bars[8]).toEqual({ name: '80 to 89', count: 2 });
  expect(bars[9]).toEqual({ name: '90 to 100', count: 3 });
  expect(totalOf(bars)).toBe(6);
});

test('formats a day independently of the time zone', () => {
  expect(dayBars([{ day: '2026-05-14', count: 2 }])).toEqual([{ name: '14 May 2026', count: 2 }]);
});

test('scales the highest bar to the full height and keeps small ones visible', () => {
  expect(heightOf(0, 0)).toBe(0);
  expect(heightOf(0, 9)).toBe(0);
  expect(heightOf(9, 9)).toBe(100);
  expect(heightOf(1, 10_000)).toBe(2);
});

test('names each twentieth with two decimals', () => {
  const names = Array.from({ length: 20 }, (_, bin) => binName(bin));
  expect(names.slice(0, 2)).toEqual(['0 to 4.99', '5 to 9.99']);
  expect(names.at(-1)).toBe('95 to 100');
  for (const name of names.slice(0, -1)) expect(name).toMatch(/^\d+ to \d+\.99$/);
});
