import { afterEach, describe, expect, test } from 'vitest';
import {
  agoText,
  compareNames,
  currentLanguage,
  currentLocale,
  dateText,
  decimalSign,
  figureText,
  isRightToLeft,
  listText,
  numberText,
  offsetText,
  optionLetter,
  percentText,
  takeLanguageFrom,
} from './locale.ts';

const NOON = '2026-05-14T12:05:09Z';
const DAY = { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' } as const;

const speak = (language: string) => takeLanguageFrom(() => language);

afterEach(() => speak('en'));

describe('in English', () => {
  test.each([
    ['a number', numberText(12_500), '12,500'],
    ['three decimals', numberText(0.12345), '0.123'],
    ['more decimals', numberText(0.12345, { maximumFractionDigits: 4 }), '0.1235'],
    ['points', figureText(1_250.5), '1250.5'],
    ['a decimal sign', decimalSign(), '.'],
    ['every decimal', figureText(0.1 + 0.2), '0.30000000000000004'],
    ['decimals as `toFixed` rounds them', figureText(1.005, 2), '1.00'],
    ['no negative zero', figureText(-0.04, 1), '0.0'],
    ['a share', percentText(92.5), '92.5\u00a0%'],
    ['a share with decimals', percentText(72, 1), '72.0\u00a0%'],
    ['a day', dateText(NOON, DAY), 'Thursday, 14 May 2026 at 12:05'],
    ['an offset', offsetText(NOON, 'Europe/Berlin'), 'GMT+2'],
    ['an age', agoText(3, 'day'), '3 days ago'],
    ['a list', listText(['face', 'voice', 'tab']), 'face, voice and tab'],
    ['a choice', listText(['face', 'voice'], 'disjunction'), 'face or voice'],
    ['a letter', optionLetter(3), 'D'],
  ])('%s', (_, text, expected) => {
    expect(text).toBe(expected);
  });

  test('names are in the order of people', () => {
    expect(['part 10', 'Part 2', 'Émile', 'Zoe', 'emil'].toSorted(compareNames)).toEqual(
      ['emil', 'Émile', 'part 10', 'Part 2', 'Zoe'].toSorted(compareNames),
    );
    expect(compareNames('Part 2', 'part 10')).toBeLessThan(0);
    expect(compareNames('Émile', 'Zoe')).toBeLessThan(0);
  });
});

test.each([
  ['de', '12.500', '1250,5', '92,5\u00a0%', '14. Mai 2026', 'a, b und c'],
  ['tr', '12.500', '1250,5', '%92,5', '14 Mayıs 2026', 'a, b ve c'],
  ['zh-CN', '12,500', '1250.5', '92.5%', '2026年5月14日', 'a、b和c'],
])('in %s', (locale, number, figure, percent, day, list) => {
  speak(locale);
  const texts = [
    numberText(12_500),
    figureText(1_250.5),
    percentText(92.5),
    dateText(NOON, { dateStyle: 'long', timeZone: 'UTC' }),
    listText(['a', 'b', 'c']),
  ];
  expect(texts).toEqual([number, figure, percent, day, list]);
});

test.each(['ar', 'ar-EG', 'fa', 'hi'])('figures are Latin in %s', (locale) => {
  speak(locale);
  expect(numberText(12_500)).toMatch(/^12.?500$/);
  expect(figureText(1_250.5)).toMatch(/^1250.5$/);
  expect(dateText(NOON, { ...DAY, calendar: 'gregory' })).toMatch(/14.*2026|2026.*14/);
  expect(percentText(92.5)).toMatch(/92.5/);
});

test('a half of the day stays with its time', () => {
  speak('ar');
  expect(dateText(NOON, DAY)).toMatch(/:05\u00a0م$/);
  expect(dateText(NOON, { timeStyle: 'short', timeZone: 'America/Bogota' })).toMatch(/:05\u00a0ص$/);
});

test('the language in use is asked for at each text', () => {
  let language = 'de';
  takeLanguageFrom(() => language);
  expect([numberText(12_500), isRightToLeft(), isRightToLeft('ar-EG')]).toEqual([
    '12.500',
    false,
    true,
  ]);
  language = 'ar';
  expect([currentLanguage(), currentLocale(), isRightToLeft()]).toEqual(['ar', 'ar', true]);
  language = 'en-XA';
  expect([currentLanguage(), currentLocale(), numberText(12_500)]).toEqual([
    'en-XA',
    'en-GB',
    '12,500',
  ]);
});
