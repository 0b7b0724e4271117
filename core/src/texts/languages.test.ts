import { expect, test } from 'vitest';
import { candidateMailLanguage, firstOf, languagesOf } from './languages.ts';

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
  // The language of the attempt counts, even if the assessment offers it no longer.
  [{ attempt: 'zh', person: 'de' }, ['de', 'en'], 'zh'],
  [{ attempt: null, person: 'de-AT' }, ['en', 'de'], 'de'],
  [{ person: 'pt' }, ['en', 'pt-BR'], 'pt-BR'],
  // The assessment does not offer the person's language, or none is known.
  [{ person: 'zh' }, ['de', 'en'], 'de'],
  [{ person: '' }, ['de', 'en'], 'de'],
  [{}, ['en'], 'en'],
  // A tag of a version that had more languages.
  [{ attempt: 'xx', person: 'xx' }, ['de', 'en'], 'de'],
])('a mail to a candidate with %j, where %j are offered, is in %s', (reader, offered, language) => {
  expect(candidateMailLanguage(reader, offered, AMONG)).toBe(language);
});

test('English is always offered', () => {
  expect(languagesOf(undefined)).toEqual(['en']);
  expect(languagesOf({ languages: null, offered: null })).toEqual(['en']);
  expect(languagesOf({ languages: ['xx'], offered: ['xx', 'en'] })).toEqual(['en']);
});
