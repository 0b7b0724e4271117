import { numberToCheck } from '@invigil/core/domain/questions/number-doubts';
import { expect, test } from 'vitest';
import { checkNumbersWith } from '../question-view/answer-value.ts';
import { questionCounts, spokenState } from '../question-view/question-state.ts';
import { paperQuestion } from '../testing/fixtures.ts';
import { openSentence, questionStates, toCheckSentence } from './question-states.ts';

const value = (answer: string, isFlagged = false) => ({ answer, isFlagged });

test('does not count an option of another paper as an answer', () => {
  const states = questionStates([paperQuestion('a')], new Map([['a', value('maybe')]]));
  expect(states[0]?.isAnswered).toBe(false);
});

test('counts states and names questions', () => {
  const paper = ['a', 'b', 'c', 'd'].map((id) => paperQuestion(id));
  const values = new Map([
    ['a', value('yes')],
    ['b', value('no', true)],
    ['c', value('', true)],
  ]);
  const states = questionStates(paper, values);
  expect(questionCounts(states)).toEqual({ answered: 2, flagged: 2, remaining: 2 });
  const words = { flagged: 'marked for review', unanswered: 'not attempted' };
  expect(states.map((state) => spokenState(state, words))).toEqual([
    'Question 1, answered',
    'Question 2, marked for review, answered',
    'Question 3, marked for review, not attempted',
    'Question 4, not attempted',
  ]);
  expect(openSentence(states)).toBe(
    '2 questions are flagged and 2 are unanswered. You can still change them.',
  );
  expect(openSentence(states.slice(0, 1))).toBe('Every question is answered.');
  expect(openSentence(states.slice(3))).toBe('1 question is unanswered. You can still change it.');
});

test('names questions with fewer selections than they ask for', () => {
  const several = (id: string, selected: string[]) => ({
    question: {
      ...paperQuestion(id, { options: ['one', 'two', 'three'] }),
      type: 'multiple_response' as const,
      minSelections: 2,
    },
    value: value(selected.length === 0 ? '' : JSON.stringify(selected)),
  });
  const statesOf = (...given: string[][]) => {
    const made = given.map((selected, i) => several(`q${i}`, selected));
    return questionStates(
      made.map((one) => one.question),
      new Map(made.map((one) => [one.question.id, one.value])),
    );
  };
  expect(toCheckSentence(statesOf(['one', 'two'], []))).toBeNull();
  expect(openSentence(statesOf(['two']))).toBe(
    'Every question is answered. Question 1 has fewer selections than it asks for.',
  );
  expect(toCheckSentence(statesOf(['one'], ['one', 'two'], ['two'], ['three']))).toBe(
    'Questions 1, 3 and 4 have fewer selections than they ask for.',
  );
});

test.each([
  ['How many centimeters?', true, '50 cm', undefined],
  ['How many centimeters?', true, '50', undefined],
  ['How many centimeters?', true, '50 €', 'unit'],
  ['How many centimeters?', true, '€50', 'unit'],
  ['How many centimeters?', true, '50 %', 'unit'],
  ['How many centimeters?', true, '50 kg', 'unit'],
  ['How many centimeters?', true, '0.5 m', undefined],
  ['How long is it?', true, '50 kg', undefined],
  ['How long is it, in cm?', true, '50 CM', undefined],
  ['Which share, in per cent?', true, '50 %', undefined],
  ['What does it cost in euros?', true, '50 €', undefined],
  ['Which angle (°)?', true, '50°', undefined],
  ['How many?', false, '50 €', undefined],
  ['How many?', false, '1,000', 'thousands'],
  ['How many?', false, '-12,500', 'thousands'],
  ['How many?', false, '0,125', undefined],
  ['How many?', false, '1,5', undefined],
  ['How many?', false, '1,2345', undefined],
  ['How many?', false, '1.000', undefined],
  ['How many?', false, '1,234,567', undefined],
  ['How many meters?', true, '1,000 m', 'thousands'],
])('marks a reading that may be wrong: %s %s %s', (question, hasUnits, text, expected) => {
  checkNumbersWith(numberToCheck);
  const paper = [
    { ...paperQuestion('a', { question, options: [] }), type: 'numeric' as const, hasUnits },
  ];
  const states = questionStates(paper, new Map([['a', value(text)]]));
  expect(states[0]?.toCheck).toBe(expected);
  const said = toCheckSentence(states);
  if (expected === undefined) expect(said).toBeNull();
  else expect(said).toMatch(expected === 'unit' ? /a unit that it does not name/ : /decimal comma/);
});

test('marks an answer that is not a number, and says so', () => {
  checkNumbersWith(numberToCheck);
  const paper = ['a', 'b', 'c'].map((id) => ({
    ...paperQuestion(id, { options: [] }),
    type: 'numeric' as const,
  }));
  const toCheckOf = (...typed: string[]) =>
    questionStates(paper, new Map(typed.map((text, i) => [paper[i]?.id ?? '', value(text)]))).map(
      ({ toCheck }) => toCheck,
    );
  expect(toCheckOf('50 kg', '1/2', '50 %')).toEqual(['no-number', 'no-number', undefined]);
  const values = new Map([
    ['a', value('ten')],
    ['b', value('1,5')],
  ]);
  const states = questionStates(paper, values);
  expect(states.map(({ toCheck }) => toCheck)).toEqual(['no-number', undefined, undefined]);
  expect(states.map((state) => spokenState(state, { flagged: '', unanswered: '' }))[0]).toBe(
    'Question 1, answered, to check',
  );
  expect(toCheckSentence(states)).toBe('Question 1 asks for a number, and its answer is not one.');
});
