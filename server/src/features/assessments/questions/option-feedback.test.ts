import {
  isPlainQuestion,
  plainDefinition,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { keyFor, versionOf } from '@invigil/core/domain/questions/question-versions';
import { validateDefinition } from '@invigil/core/domain/questions/validate-definition';
import { expect, it } from 'vitest';

const withFeedback = (...feedback: string[]): QuestionDefinition => {
  const plain = plainDefinition('Q', ['a', 'b'], 'a');
  return {
    ...plain,
    options: plain.options.map((option, i) => ({ ...option, feedback: feedback[i] })),
  };
};

it('feedback on options is kept without white space around it, and makes a question a rich one', () => {
  const result = validateDefinition(withFeedback('  Because. ', ' '));
  const definition = result.ok ? result.definition : null;
  expect(definition?.options).toEqual([
    { text: 'a', isCorrect: true, feedback: 'Because.' },
    { text: 'b', isCorrect: false },
  ]);
  expect(definition && isPlainQuestion(definition)).toBe(false);
});

it('feedback has a limit, and needs an option with a text', () => {
  const paths = (definition: QuestionDefinition) =>
    validateDefinition(definition).problems.map(({ path }) => path);
  expect(paths(withFeedback('x'.repeat(4_001)))).toEqual(['options.0.feedback']);
  const { options, ...rest } = withFeedback();
  const blank = { text: ' ', isCorrect: false, feedback: 'Of nothing.' };
  expect(paths({ ...rest, options: [...options, blank] })).toEqual(['options.2.text']);
});

it('another key leaves the feedback of earlier versions as it was', () => {
  const stored = (definition: QuestionDefinition) => versionOf(definition).content;
  const earlier = stored(withFeedback('First.', 'Second.'));
  const current = stored(plainDefinition('Q', ['a', 'b'], 'b'));
  const match = new Map([
    [1, 1],
    [2, 2],
  ]);
  expect(keyFor(earlier, current, match)?.details?.options).toEqual([
    { isCorrect: false, feedback: 'First.' },
    { isCorrect: true, feedback: 'Second.' },
  ]);
});
