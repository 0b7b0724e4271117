import { describe, expect, test } from 'vitest';
import { NO_QUESTION, typedQuestionOf, validateTypedQuestion } from './question-form.tsx';

const validate = (question: string, options: string[], keyIndex: number | null) =>
  validateTypedQuestion({ question, options, keyIndex });

describe('a typed question, validated in the order of the seed', () => {
  test.each([
    ['nothing', ' ', ['', '', '', ''], null, 'question', 'Please enter a question'],
    ['no options', 'Q?', ['', '', '', ''], null, 'options', 'Please provide at least two options'],
    ['one option', 'Q?', ['x', '', '', ''], 0, 'options', 'Please provide at least two options'],
    ['no key', 'Q?', ['x', 'y', '', ''], null, 'correctAnswer', 'Please select the correct answer'],
    [
      'the key on a blank option',
      'Q?',
      ['x', 'y', '', ''],
      2,
      'correctAnswer',
      'Selected correct answer must be one of the options',
    ],
    [
      'one of two is only blanks',
      'Q?',
      ['x', '  ', '', ''],
      0,
      'options',
      'Please provide at least two valid options',
    ],
    [
      'equal options',
      'Q?',
      ['x', ' x ', '', ''],
      0,
      'options',
      'Two options are the same. Change one of them',
    ],
  ] as const)('%s', (_, question, options, keyIndex, place, message) => {
    expect(validate(question, [...options], keyIndex)).toEqual({ ok: false, place, message });
  });

  test('is refused for its text if the form is empty', () => {
    expect(validateTypedQuestion(NO_QUESTION)).toMatchObject({ ok: false, place: 'question' });
  });

  test('is trimmed, without blank options, and with the key as text', () => {
    expect(validate(' Q? ', ['x', '', ' y, z ', ''], 2)).toEqual({
      ok: true,
      draft: { question: 'Q?', options: ['x', 'y, z'], correctAnswer: 'y, z' },
    });
  });
});

test('fills the form from a stored question with its key', () => {
  const stored = { question: 'Q?', options: ['x', 'y'], correctAnswer: 'y' };
  expect(typedQuestionOf(stored)).toEqual({
    question: 'Q?',
    options: ['x', 'y', '', ''],
    keyIndex: 1,
  });
});
