import type { Evidence } from '@invigil/core/contract/attempts/evidence-views';
import { takeLanguageFrom } from '@invigil/core/domain/locale';
import { expect, test } from 'vitest';
import { levelsOf, offsetText, stillsOf } from './still-places.ts';

const AT = '2026-05-14T10:06:00.000Z';
const evidence = (change: Partial<Evidence>): Evidence => ({
  id: 'e',
  participantId: 'p',
  violationId: 'v',
  at: AT,
  stills: [],
  levels: null,
  ...change,
});

test('is empty without stills', () => {
  expect(stillsOf([evidence({})], AT)).toEqual([]);
});

test('merges two uploads in order, the second with a reference time 2 s later', () => {
  const strip = stillsOf(
    [
      evidence({
        at: '2026-05-14T10:06:02.000Z',
        stills: [
          { offsetMs: 2_000, jpeg: 'd' },
          { offsetMs: -1_000, jpeg: 'c' },
        ],
      }),
      evidence({
        stills: [
          { offsetMs: -3_000, jpeg: 'a' },
          { offsetMs: -200, jpeg: 'b' },
        ],
      }),
    ],
    AT,
  );
  expect(strip.map(({ jpeg, offsetMs }) => [jpeg, offsetMs])).toEqual([
    ['a', -3_000],
    ['b', -200],
    ['c', 1_000],
    ['d', 4_000],
  ]);
  expect(strip.filter(({ isMoment }) => isMoment).map(({ jpeg }) => jpeg)).toEqual(['b']);
});

test.each([
  [-3_000, '−3 s'],
  [-200, '0 s'],
  [4_400, '+4 s'],
])('%i ms from the moment reads %s', (ms, text) => expect(offsetText(ms)).toBe(text));

test('keeps the sign before its figure in a line from right to left', () => {
  takeLanguageFrom(() => 'ar');
  try {
    expect([-3_000, 3_000].map(offsetText)).toEqual(['\u200e−3 s', '\u200e+3 s']);
  } finally {
    takeLanguageFrom(() => 'en');
  }
});

test('merges the level curve the same way', () => {
  const first = evidence({ levels: { offsetMs: -600, everyMs: 300, values: [0, 10] } });
  const second = evidence({
    at: '2026-05-14T10:06:01.000Z',
    levels: { offsetMs: -1_000, everyMs: 500, values: [60, 50] },
  });
  expect(levelsOf([second, first], AT)).toEqual([
    { offsetMs: -600, value: 0 },
    { offsetMs: -300, value: 10 },
    { offsetMs: 0, value: 60 },
    { offsetMs: 500, value: 50 },
  ]);
});
