import {
  plainDefinition,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { validateDefinition } from '@invigil/core/domain/questions/validate-definition';
import { expect, test } from 'vitest';
import { validateValues } from './parts/validate-values.ts';
import { scoreAnswer, workedExample } from './question-preview.tsx';
import {
  definitionOf,
  definitionValues,
  NEW_QUESTION,
  type QuestionValues,
  withType,
} from './state/question-values.ts';
import { editingReducer } from './state/use-editing.ts';

const RICH: QuestionDefinition[] = [
  {
    type: 'multiple_response',
    format: 'markdown',
    question: '**Which?**',
    options: [
      { text: 'a', isCorrect: true },
      { text: 'b', isCorrect: true, feedback: 'It **is**.' },
      { text: 'c', isCorrect: true },
      { text: 'None', isCorrect: false, isLast: true },
    ],
    points: 1.5,
    rule: 'right_minus_wrong',
    minSelections: 2,
    maxSelections: 3,
    explanation: 'Because.',
  },
  {
    type: 'numeric',
    format: 'plain',
    question: 'How fast?',
    options: [],
    points: 2,
    rule: 'weights',
    numeric: {
      accepted: [
        { value: '9.81', weight: 100 },
        { min: '9', max: '10', weight: 50 },
        { value: '9.8', tolerancePercent: '1', weight: 25 },
      ],
      units: [{ unit: 'm', factor: '1' }],
      isUnitRequired: true,
    },
  },
  {
    type: 'short_text',
    format: 'plain',
    question: 'Who?',
    options: [],
    points: 1,
    rule: 'all_or_nothing',
    shortText: { accepted: [{ text: 'Ada' }], isCaseSensitive: true },
  },
];

test.each(RICH)('keeps a $type question as it is through the fields', (definition) => {
  const values = { ...NEW_QUESTION, ...definitionValues(definition) };
  const validated = validateDefinition(definitionOf(values));
  expect(validated.ok && validated.definition).toEqual(definition);
});

test('stores texts without marks as plain, and others as they were', () => {
  const format = (values: Partial<QuestionValues>) =>
    definitionOf({ ...NEW_QUESTION, question: 'Which?', ...values }).format;
  expect(format({})).toBe('plain');
  expect(format({ question: 'Which *one*?' })).toBe('markdown');
  expect(format({ question: 'a\nb' })).toBe('markdown');
  expect(format({ explanation: '$x$' })).toBe('markdown');
  // A plain text with signs that Markdown would read keeps its look.
  const plain = plainDefinition('2*3*4?', ['24', '9'], '24');
  expect(definitionValues(plain).format).toBe('plain');
  expect(definitionValues(plainDefinition('Which?', ['a', 'b'], 'a')).format).toBe('markdown');
});

test('lets plain texts be about HTML, and formatted ones where it is escaped', () => {
  const definition = plainDefinition('Which is a heading?', ['<h1>', '<b>'], '<h1>');
  const values = { ...NEW_QUESTION, ...definitionValues(definition) };
  expect(validateValues(values)).toMatchObject({ ok: true, definition: { format: 'plain' } });
  const formatted = { ...values, question: 'Which is a *heading*?' };
  expect(validateValues(formatted)).toMatchObject({ ok: false });
  const options = values.options.map((one) => ({ ...one, text: one.text.replace('<', '\\<') }));
  expect(validateValues({ ...formatted, options })).toMatchObject({ ok: true });
});

test('reads a decimal comma and refuses what is no number', () => {
  const values: QuestionValues = { ...NEW_QUESTION, question: 'Q', points: '0,5' };
  expect(definitionOf(values).points).toBe(0.5);
  const problems = validateDefinition(definitionOf({ ...values, points: 'x' })).problems;
  expect(problems.map(({ path }) => path)).toContain('points');
});

test('puts right what another type cannot have', () => {
  const values = { ...NEW_QUESTION, ...definitionValues(RICH[0] as QuestionDefinition) };
  expect(withType(values, 'numeric').rule).toBe('all_or_nothing');
  expect(withType(values, 'multiple_choice').options.filter((o) => o.isCorrect)).toHaveLength(1);
  const truth = withType(values, 'true_false');
  expect(truth.options.map(({ text }) => text)).toEqual(['True', 'False']);
  // True and False came with the type; options of the author stay.
  const blank = NEW_QUESTION.options;
  expect(withType(truth, 'multiple_choice').options).toEqual(blank);
  const own = { ...truth, options: truth.options.map((one, i) => ({ ...one, text: `Own ${i}` })) };
  expect(withType(own, 'multiple_choice').options).toEqual(own.options);
});

test('gives a worked example with the scores of the scoring rules', () => {
  const [selections, number, text] = RICH as [
    QuestionDefinition,
    QuestionDefinition,
    QuestionDefinition,
  ];
  expect(workedExample(selections)).toBe('2 of 3 right and 1 wrong: 0.5 of 1.5 points');
  expect(workedExample(number)).toBe('“9.81 m”: 2 of 2 points');
  expect(workedExample({ ...selections, options: [] })).toBeNull();
  const option = { isCorrect: false, isLast: false, feedback: '' };
  const weights: QuestionValues = {
    ...NEW_QUESTION,
    rule: 'weights',
    options: [
      { ...option, text: 'Yes', weight: '100' },
      { ...option, text: 'Partly', weight: '50' },
      { ...option, text: 'No', weight: '-150' },
      { ...option, text: '', weight: '0' },
    ],
  };
  expect(workedExample(definitionOf(weights))).toBe('A: 1 of 1 point. B: 0.5 of 1 point');
  expect(scoreAnswer(text, 'ada')?.points).toBe(0);
  expect(scoreAnswer(text, ' Ada ')?.isCorrect).toBe(true);
  expect(scoreAnswer(text, '')).toBeNull();
});

test('undoes by steps: typing in one field is one step', () => {
  let state = { values: NEW_QUESTION, past: [], future: [], field: null } as Parameters<
    typeof editingReducer
  >[0];
  const type = (question: string) => {
    state = editingReducer(state, { type: 'change', part: { question }, field: 'question' });
  };
  type('W');
  type('Wh');
  state = editingReducer(state, { type: 'change', part: { options: [] }, field: null });
  type('Why');
  state = editingReducer(state, { type: 'undo' });
  state = editingReducer(state, { type: 'undo' });
  expect([state.values.question, state.values.options.length]).toEqual(['Wh', 4]);
  state = editingReducer(state, { type: 'undo' });
  expect(state.values).toEqual(NEW_QUESTION);
  state = editingReducer(state, { type: 'redo' });
  expect(state.values.question).toBe('Wh');
});
