import { optionsOfPairs } from '@invigil/core/domain/questions/matching-options';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { recordQuestion } from '../../../../testing/record-rows.ts';
import { show, wordsIn, wordsOf } from '../../../../testing/shown.tsx';
import type { RecordQuestion } from './answer-filter.ts';
import { RecordAnswers } from './record-answers.tsx';

const several: QuestionDefinition = {
  type: 'multiple_response',
  format: 'plain',
  question: 'Which are prime?',
  options: [
    { text: '2', isCorrect: true },
    { text: '4', isCorrect: false },
    { text: '5', isCorrect: true },
  ],
  points: 2,
  rule: 'right_minus_wrong',
  explanation: 'Four is twice two.',
};
const number: QuestionDefinition = {
  ...several,
  type: 'numeric',
  options: [],
  points: 1,
  rule: 'all_or_nothing',
  numeric: {
    accepted: [
      { value: '9.81', tolerancePercent: '1' },
      { min: '9', max: '10', weight: 50 },
    ],
    units: [{ unit: 'm/s²', factor: '1' }],
    isUnitRequired: true,
  },
};

const answered = (definition: QuestionDefinition, change: Partial<RecordQuestion>) =>
  recordQuestion({
    question: definition.question,
    options: ['5', '2', '4'],
    correctAnswer: '2, 5',
    selectedOption: '',
    maxPoints: definition.points,
    definition,
    ...change,
  });

test('shows what was selected, what is right and the points of a multiple response', async () => {
  const question = answered(several, { selectedOption: '["5"]', points: 1 });
  const { container } = await show(<RecordAnswers questions={[question]} />);
  const words = () => wordsIn(container);
  expect(words()).toContain('0 correct, 1 partly correct, 0 wrong, 0 unanswered');
  expect(words()).toContain('Partly correct: 5 Correct answer: 2; 5 1 / 2');
  await expect
    .element(page.getByRole('button', { name: 'Question 1, partly correct' }))
    .toBeVisible();
  await page.getByRole('button', { name: 'Options of question 1' }).click();
  expect(words()).toContain('A 5 Selected, correct B 2 Correct answer C 4');
  expect(words()).toContain(
    'Multiple response · Right minus wrong Explanation: Four is twice two.',
  );
  await page.getByRole('button', { name: 'Partly correct (1)' }).click();
  expect(words()).toContain('Which are prime?');
});

test('shows what was typed and what is accepted', async () => {
  const question = answered(number, {
    options: [],
    correctAnswer: '',
    selectedOption: '12 m/s²',
    points: 0,
  });
  const { container } = await show(<RecordAnswers questions={[question]} />);
  const accepted = '9.81 (±1%); 9 to 10, 50% of the points';
  expect(wordsIn(container)).toContain(`Wrong: 12 m/s² Correct answer: ${accepted} 0 / 1`);
  await page.getByRole('button', { name: 'Key of question 1' }).click();
  expect(wordsIn(container)).toContain('Accepted answers 9.81 (±1%) 9 to 10, 50% of the points');
  expect(wordsIn(container)).toContain('Number · All or nothing · Units: m/s² (required)');
});

test('keeps points and time of an answer on one line', async () => {
  await page.viewport(1000, 800);
  const savedAt = '2026-05-14T10:00:09Z';
  await show(
    <div className="@container">
      <RecordAnswers questions={[answered(several, { points: 1.5, savedAt })]} />
    </div>,
  );
  for (const text of [page.getByText('1.5 / 2'), page.getByRole('time')]) {
    expect(text.element().getClientRects()).toHaveLength(1);
  }
});

test('shows weights beside the options', async () => {
  const weighted: QuestionDefinition = {
    ...several,
    rule: 'weights',
    options: several.options.map((option, i) => ({ ...option, weight: [60, -50, 40][i] })),
  };
  await show(<RecordAnswers questions={[answered(weighted, { points: 0 })]} />);
  await page.getByRole('button', { name: 'Options of question 1' }).click();
  await expect.element(page.getByText('-50%', { exact: true })).toBeVisible();
});

test('shows a plain question without points or rules', async () => {
  const words = await wordsOf(<RecordAnswers questions={[recordQuestion()]} />);
  expect(words).toBe(
    'Answers 0 correct, 1 wrong, 0 unanswered 1 All (1) Wrong (1) Unanswered (0) Flagged (0) 1 Which? Wrong: yes Correct answer: no',
  );
});

test.each([
  ['also_right', 'B yes Selected, correct C no Correct answer'],
  ['full_points', 'B yes Selected C no Correct answer'],
] as const)('marks the selected option as right where it is accepted: %s', async (...each) => {
  const [correction, shown] = each;
  const options = ['perhaps', 'yes', 'no'];
  const question = recordQuestion({ options, isCorrect: true, correction });
  const { container } = await show(<RecordAnswers questions={[question]} />);
  await page.getByRole('button', { name: 'Options of question 1' }).click();
  expect(wordsIn(container)).toContain(shown);
});

test.each([
  ['left_out', '0 unanswered, 1 left out', 'Left out: 5', 'This question is left out'],
  ['full_points', '1 correct', '2 / 2', 'Correct: 5', 'Everyone has the points of this question.'],
] as const)('shows what a rescoring decided for everyone: %s', async (correction, ...shown) => {
  const isCorrect = correction === 'full_points';
  const points = isCorrect ? 2 : 0;
  const result = { isCorrect, points, maxPoints: points, correction };
  const question = answered(several, { selectedOption: '["5"]', ...result });
  const words = await wordsOf(<RecordAnswers questions={[question]} />);
  expect(words).not.toContain('0 / 0');
  expect(words).toContain('Correct answer: ');
  for (const each of shown) expect(words).toContain(each);
});

const matching: QuestionDefinition = {
  ...several,
  type: 'matching',
  options: optionsOfPairs(
    [
      { item: 'France', answer: 'Paris' },
      { item: 'Spain', answer: 'Madrid' },
    ],
    ['Rome'],
  ),
  rule: 'per_option',
};

test('shows an answer to match row by row, beside the key', async () => {
  const question = answered(matching, {
    options: ['Madrid', 'Rome', 'Paris', 'France', 'Spain'],
    correctAnswer: '',
    selectedOption: '["Paris","Rome"]',
    points: 1,
    rows: [
      { item: 'France', given: 'Paris', right: 'Paris' },
      { item: 'Spain', given: 'Rome', right: 'Madrid' },
    ],
  });
  const { container } = await show(<RecordAnswers questions={[question]} />);
  expect(wordsIn(container)).toContain(
    'Partly correct: France → Paris; Spain → Rome Correct answer: France → Paris; Spain → Madrid 1 / 2',
  );
  await page.getByRole('button', { name: 'Options of question 1' }).click();
  expect(wordsIn(container)).toContain(
    'France → : Paris Right Spain → : Rome Right: Madrid Not right',
  );
  expect(wordsIn(container)).toContain('Matching · Per item');
});

test('shows an order as it was given, with the right places', async () => {
  const question = answered(
    { ...matching, type: 'ordering', options: several.options },
    {
      options: ['5', '2', '4'],
      selectedOption: '["2","5","4"]',
      points: 1,
      rows: [
        { item: '2', given: '1', right: '1' },
        { item: '5', given: '2', right: '3' },
        { item: '4', given: '3', right: '2' },
      ],
    },
  );
  const { container } = await show(<RecordAnswers questions={[question]} />);
  expect(wordsIn(container)).toContain('Partly correct: 1. 2; 2. 5; 3. 4');
  await page.getByRole('button', { name: 'Options of question 1' }).click();
  expect(wordsIn(container)).toContain('1. 2 Right 2. 5 Right place: 3 Not right');
});
