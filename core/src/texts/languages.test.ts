import { expect, test } from 'vitest';
import { firstOf } from './languages.ts';

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
