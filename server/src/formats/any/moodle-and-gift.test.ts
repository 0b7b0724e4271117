import {
  type QuestionDefinition,
  textsOf,
} from '@invigil/core/domain/questions/question-definition';
import { IMAGE, IMAGE_HASH, questionsHeldBy } from '@invigil/testkit/generated-questions';
import { readAll } from '@invigil/testkit/running-server';
import { inForm } from '@invigil/testkit/test-form';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExportedQuestion } from '../exported-question.ts';
import { readGift } from '../gift/read-gift.ts';
import { writeGift } from '../gift/write-gift.ts';
import type { ReadFile } from '../imported-file.ts';
import { readMoodleXml } from '../moodle/read-moodle-xml.ts';
import { writeMoodleXml } from '../moodle/write-moodle-xml.ts';
import { formulaProblems } from '../text/formula-notes.ts';
import { fullPointsNote } from '../text/full-points.ts';

async function expectSame(
  questions: ExportedQuestion[],
  text: string,
  read: ReadFile,
): Promise<void> {
  const { items, images } = await readAll(read, {
    name: 'a',
    bytes: new TextEncoder().encode(text),
  });
  expect(items.map(({ definition, notes }) => ({ definition, notes }))).toEqual(
    questions.map(({ definition }) => ({ definition, notes: notesOf(definition) })),
  );
  expect(items.map(({ tags, categoryPath }) => ({ tags, categoryPath }))).toEqual(
    questions.map(({ tags, categoryPath }) => ({ tags, categoryPath })),
  );
  items.forEach((item, i) => {
    if (questions[i]?.title) expect(item.title).toBe(questions[i].title);
  });
  for (const [hash, bytes] of images)
    expect([hash, Buffer.from(bytes)]).toEqual([IMAGE_HASH, IMAGE]);
}

/** What the text itself brings: `$$` around anything is a formula, readable or not. */
function notesOf(definition: QuestionDefinition): string[] {
  const asSource = definition.format === 'plain' ? [] : formulaProblems(textsOf(definition));
  return [...new Set([...asSource, ...fullPointsNote(definition)])];
}

const RUNS = inForm({ short: 25, long: 100 });

const held = (format: 'moodle_xml' | 'gift') =>
  fc.array(questionsHeldBy(format), { minLength: 1, maxLength: 4 });

describe('an export that is imported again gives the same questions', () => {
  it('Moodle XML', async () => {
    await fc.assert(
      fc.asyncProperty(held('moodle_xml'), (questions) =>
        expectSame(
          questions,
          writeMoodleXml(questions, () => IMAGE),
          readMoodleXml,
        ),
      ),
      { numRuns: RUNS },
    );
  });

  it('GIFT', async () => {
    await fc.assert(
      fc.asyncProperty(held('gift'), (questions) =>
        expectSame(questions, writeGift(questions), readGift),
      ),
      { numRuns: RUNS },
    );
  });
});
