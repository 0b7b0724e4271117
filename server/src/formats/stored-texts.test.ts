import { readFile } from 'node:fs/promises';
import { parseContent } from '@invigil/core/content/parse-content';
import { isShownTheSame } from '@invigil/core/content/runs';
import { writeContent } from '@invigil/core/content/write-content';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { questionsHeldBy } from '../../../testkit/generated-questions.ts';
import { readAll } from '../../../testkit/question-files.ts';
import { readGift } from './gift/read-gift.ts';
import { readQti } from './qti/read-qti.ts';

const fixture = (path: string) => readFile(new URL(path, import.meta.url));

const QTI = [
  'choice_vary_points_by_answer.xml',
  'every_canvas_type.xml.qti',
  'mc_feedback.xml',
  'multiple_answer.xml',
  'multiple_answer_canvas.xml',
  'numeric_margin_error_percent.xml',
  'numeric_precision.xml',
  'stimulus_with_child_item.xml',
];

/** Every text of a question, also a plain one, which the editor reads as Markdown. */
function textsOf({ question, options, explanation = '' }: QuestionDefinition): string[] {
  const ofOptions = options.flatMap(({ text, feedback = '' }) => [text, feedback]);
  return [question, explanation, ...ofOptions].filter((text) => text !== '');
}

/** Reads, writes and reads again: the editor shows what the paper shows. */
function looksTheSame(text: string): boolean {
  const read = parseContent(text);
  return isShownTheSame(parseContent(writeContent(read)), read);
}

test('every text of the question files of other programs looks the same when it is written again', async () => {
  const gift: Record<string, { gift: string; parse: { type: string }[] }> = JSON.parse(
    String(await fixture('./gift/fixtures/gift-pairs.json')),
  );
  const read = await Promise.all([
    ...QTI.map(async (name) =>
      readAll(readQti, { name, bytes: await fixture(`./qti/fixtures/${name}`) }),
    ),
    ...Object.entries(gift)
      .filter(([, { parse }]) => parse.some(({ type }) => type !== 'Category'))
      .map(([name, { gift: bytes }]) => readAll(readGift, { name, bytes })),
  ]);
  const texts = read.flatMap(({ items }) =>
    items.flatMap(({ definition }) => (definition ? textsOf(definition) : [])),
  );
  expect(texts.length).toBeGreaterThan(200);
  expect(texts.filter((text) => !looksTheSame(text))).toEqual([]);
});

test('every text of generated questions looks the same when it is written again', () => {
  fc.assert(
    fc.property(questionsHeldBy('qti_3'), ({ definition }) => {
      expect(textsOf(definition).filter((text) => !looksTheSame(text))).toEqual([]);
    }),
  );
});
