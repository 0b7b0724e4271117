import { expect, test } from 'vitest';
import { timeAxis } from './record-timeline.tsx';

const START = '2026-05-14T10:00:00.000Z';
const after = (minutes: number) => new Date(Date.parse(START) + minutes * 60_000).toISOString();

test.each([
  [5, ['00:00', '01:00', '02:00', '03:00', '04:00', '05:00']],
  [25, ['00:00', '05:00', '10:00', '15:00', '20:00', '25:00']],
  [40, ['00:00', '10:00', '20:00', '30:00', '40:00']],
  [180, ['00:00', '60:00', '120:00', '180:00']],
])('%i minutes have round marks, at most six', (minutes, labels) => {
  expect(timeAxis(START, after(minutes)).marks.map(({ label }) => label)).toEqual(labels);
});

test('positions an instant by its share of the time, clamped to the axis', () => {
  const axis = timeAxis(START, after(20));
  expect(axis.placeOf(after(5))).toBe(25);
  expect(axis.placeOf(after(-1))).toBe(0);
  expect(axis.placeOf(after(21))).toBe(100);
});
