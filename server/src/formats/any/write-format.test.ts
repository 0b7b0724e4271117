import {
  isInRows,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import type { ExportFormat } from '@invigil/core/domain/questions/question-files';
import { IMAGE, IMAGE_HASH, questionsHeldBy } from '@invigil/testkit/generated-questions';
import { readAll } from '@invigil/testkit/question-files';
import { inForm } from '@invigil/testkit/test-form';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readGift } from '../gift/read-gift.ts';
import type { ReadFile } from '../imported-file.ts';
import { readMoodleXml } from '../moodle/read-moodle-xml.ts';
import { readQti } from '../qti/read-qti.ts';
import { cannotHold, isInFile, writeQuestionFile } from './write-format.ts';

const READERS: [ExportFormat, string, ReadFile][] = [
  ['gift', 'a.gift', readGift],
  ['moodle_xml', 'a.xml', readMoodleXml],
  ['qti_3', 'a.zip', readQti],
];

describe('questions to match and to put in order', () => {
  it.each(READERS)(
    'are the same after an export and an import: %s',
    async (format, name, reader) => {
      const sample = fc.sample(questionsHeldBy(format, isInRows), {
        numRuns: inForm({ short: 40, long: 1_000 }),
        seed: 3,
      });
      const bytes = writeQuestionFile(format, sample, (hash) =>
        hash === IMAGE_HASH ? IMAGE : null,
      );
      const { items } = await readAll(reader, { name, bytes });
      expect(items.map(({ definition }) => definition)).toEqual(
        sample.map(({ definition }) => definition),
      );
      const types = new Set(sample.map(({ definition }) => definition.type));
      expect(types.size).toBe(format === 'gift' ? 1 : 2);
    },
  );

  const ordering: QuestionDefinition = {
    type: 'ordering',
    format: 'plain',
    question: 'First?',
    options: ['a', 'b'].map((text) => ({ text, isCorrect: false })),
    points: 1,
    rule: 'all_or_nothing',
  };
  const matching: QuestionDefinition = {
    ...ordering,
    type: 'matching',
    format: 'markdown',
    options: [
      { text: 'x -> y', isCorrect: false, match: 2 },
      { text: 'z', isCorrect: false, match: 3 },
      { text: '**a**', isCorrect: false },
      { text: 'b', isCorrect: false },
    ],
  };
  const losses = (format: ExportFormat, definition: QuestionDefinition) =>
    cannotHold(format, { definition, tags: [], categoryPath: [] });

  it('are left out where a format has no place for them, and it says what it loses of others', () => {
    expect(losses('csv', ordering)).toEqual([expect.stringMatching(/^Left out: CSV/)]);
    expect(losses('gift', ordering)).toEqual([expect.stringMatching(/^Left out: GIFT/)]);
    expect(isInFile('gift', ordering)).toBe(false);
    const untitled = { definition: ordering, tags: [], categoryPath: [] };
    expect(Buffer.from(writeQuestionFile('gift', [untitled], () => null)).toString()).toBe('\n');
    expect([losses('moodle_xml', ordering), losses('qti_3', ordering)]).toEqual([[], []]);
    expect(losses('qti_3', matching)).toEqual([]);
    expect(losses('moodle_xml', matching)).toEqual([
      '“All or nothing” is lost: each pair earns its share.',
      'Moodle refuses fewer than three answers to match.',
      'Answers to match are plain text in Moodle: what is formatted in them is lost.',
    ]);
    expect(losses('gift', matching).at(-1)).toMatch(/^GIFT has “->” between/);
  });
});
