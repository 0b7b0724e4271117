import type { Question } from '@invigil/core/contract/assessments/question-list';
import { optionsOfPairs } from '@invigil/core/domain/questions/matching-options';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { expect, test, vi } from 'vitest';
import { show, wordsIn } from '../../testing/shown.tsx';
import { QuestionsOnPaper } from './questions-on-paper.tsx';

const matching: QuestionDefinition = {
  type: 'matching',
  format: 'plain',
  question: 'Capitals?',
  options: optionsOfPairs(
    [
      { item: 'France', answer: 'Paris' },
      { item: 'Spain', answer: 'Madrid' },
    ],
    ['Rome', 'Lisbon'],
  ),
  points: 2,
  rule: 'per_option',
};
const STEPS = ['Boil', 'Pour', 'Wait', 'Drink'];
const ordering: QuestionDefinition = {
  ...matching,
  type: 'ordering',
  question: 'Tea?',
  options: STEPS.map((text) => ({ text, isCorrect: false })),
};

async function printed(withKey: boolean): Promise<string> {
  vi.spyOn(window, 'print').mockReturnValue();
  const questions = [matching, ordering].map(
    (definition, i): Question => ({
      ...{ id: `q${i}`, quizId: 'quiz', type: definition.type, question: definition.question },
      ...{ correctAnswer: '', orderNumber: i + 1, version: 1, definition },
      options: definition.options.map(({ text }) => text),
    }),
  );
  await show(
    <QuestionsOnPaper title="Exam" {...{ questions, withKey }} onPrinted={() => undefined} />,
  );
  await expect.poll(() => wordsIn(document.body)).toContain('Tea?');
  return wordsIn(document.body);
}

test('the key of pairs and of an order is printed only with the key', async () => {
  const keyed = await printed(true);
  expect(keyed).toContain('France → : Paris Spain → : Madrid Wrong for all: Rome');
  expect(keyed).toContain('1. Boil 2. Pour 3. Wait 4. Drink');
});

test('without the key, answers have letters, and items no order', async () => {
  const words = await printed(false);
  expect(words).toContain('Write the letter of an answer at each item');
  expect(words).toMatch(/France Spain A \w+ B \w+ C \w+ D \w+/);
  expect(words).not.toContain('A Paris B Madrid C Rome D Lisbon');
  expect(words).not.toContain('→');
  expect(words).toContain('Number the items in the right order');
  expect(words).not.toContain(STEPS.join(' '));
  for (const step of STEPS) expect(words).toContain(step);
});
