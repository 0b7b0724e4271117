import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { readOne } from '@invigil/testkit/question-files';
import { describe, expect, it } from 'vitest';
import { readQuestionFile } from '../any/detect-format.ts';
import { writeQuestionFile } from '../any/write-format.ts';
import { trueOption } from './true-false.ts';

describe('a question of true and false', () => {
  it.each([
    ['True', 'False', 0],
    ['False', ' true ', 1],
    ['No', 'Yes', 1],
    ['Nein', 'Ja', 1],
    ['falsch', 'richtig', 1],
    ['Faux', 'Vrai', 1],
    ['onwaar', 'waar', 1],
    ['No', 'Maybe', 0],
    ['Never', 'Yes', 0],
  ])('of %j and %j has the true option at %d', (first, second, place) => {
    expect(trueOption([{ text: first }, { text: second }])).toBe(place);
  });

  it.each([
    ['moodle_xml', 'a.xml', 'False', 'True', 1],
    ['moodle_xml', 'a.xml', 'Nein', 'Ja', 0],
    ['moodle_xml', 'a.xml', 'True', 'False', 1],
    ['gift', 'a.gift', 'False', 'True', 1],
    ['gift', 'a.gift', 'Nein', 'Ja', 0],
    ['gift', 'a.gift', 'True', 'False', 1],
  ] as const)(
    'keeps its key and feedback in %s (%s) with %j before %j, right at %d',
    async (format, name, first, second, right) => {
      const definition: QuestionDefinition = {
        type: 'true_false',
        format: 'plain',
        question: 'Roses are red.',
        options: [first, second].map((text, i) => ({
          text,
          isCorrect: i === right,
          feedback: `On ${text}`,
        })),
        points: 1,
        rule: 'all_or_nothing',
      };
      const untitled = { definition, tags: [], categoryPath: [] };
      const file = writeQuestionFile(format, [untitled], () => null);
      const read = (await readOne(readQuestionFile, file, name)).definition?.options;
      const inOrder = first === 'True' ? definition.options : definition.options.toReversed();
      expect(read).toEqual(
        inOrder.map((option, i) => ({ ...option, text: i === 0 ? 'True' : 'False' })),
      );
    },
  );
});
