import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { expect, it } from 'vitest';
import { giftCannotHold } from './write-gift.ts';

const image = (alt: string, n: number) => `![${alt}](image:${String(n).repeat(64)})`;
const withOptions = (...texts: string[]): QuestionDefinition => ({
  ...{ type: 'multiple_choice', format: 'markdown', question: 'Which?', points: 1 },
  rule: 'all_or_nothing',
  options: texts.map((text, i) => ({ text, isCorrect: i === 0 })),
});

const ALT = 'GIFT has no images; their alternative texts are written.';
const SAME = 'Options that differ in their images alone become the same text.';
const EMPTY = 'An option that is an image without a text becomes empty.';

it.each<[string, string[], string[]]>([
  ['images with their own descriptions', [image('A bar', 1), image('A pie', 2)], [ALT]],
  ['images with the same description', [image('Graph', 1), image('Graph', 2), 'c'], [ALT, SAME]],
  ['a text that equals a description', [image('Graph', 1), 'Graph'], [ALT, SAME]],
  ['images without descriptions', [image('', 1), image('', 2)], [ALT, EMPTY]],
  ['an image beside words', [`${image('', 1)} up`, `${image('', 2)} down`], [ALT]],
  ['no image', ['up', 'down'], []],
])('says what becomes of options: %s', (_, options, lost) => {
  expect(giftCannotHold(withOptions(...options))).toEqual(lost);
});
