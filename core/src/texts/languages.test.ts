import { expect, test } from 'vitest';
import { firstOf, languagesOf, preferredIn } from './languages.ts';

const AMONG = ['en', 'de', 'pt-BR', 'zh'] as const;

test.each([
  [['de'], 'de'],
  [['de-AT', 'en'], 'de'],
  [['PT'], 'pt-BR'],
  [['pt-PT'], 'pt-BR'],
  [['zh-Hans-CN'], 'zh'],
  [['fr', 'ja', 'en-US'], 'en'],
  [['fr'], undefined],
  [['*'], undefined],
  [[''], undefined],
  [[], undefined],
])('of %j it is %s', (preferred, found) => {
  expect(firstOf(preferred, AMONG)).toBe(found);
});

test.each([
  [['de', 'ar'], ['ar'], 'ar'],
  [['de', 'ar'], ['fi', 'en-US'], 'en'],
  [['de', 'ar'], ['fi', ''], 'de'],
  // An assessment in one language leaves no choice.
  [['de'], ['ar', 'en'], 'de'],
  [null, ['de', 'en'], 'zh'],
  // A tag of a version that had more languages.
  [['xx'], ['de'], 'en'],
])('of %j, with %j preferred, it is %s', (languages, preferred, language) => {
  expect(preferredIn({ languages, offered: ['zh', 'de'] }, preferred)).toBe(language);
});

test('English is always offered', () => {
  expect(languagesOf(undefined)).toEqual(['en']);
  expect(languagesOf({ languages: null, offered: null })).toEqual(['en']);
  expect(languagesOf({ languages: ['xx'], offered: ['xx', 'en'] })).toEqual(['en']);
});
