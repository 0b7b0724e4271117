import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KeyedPosition, type ScorableAnswer, scorePaper } from './scoring.ts';

const paper: KeyedPosition[] = [
  { questionId: 'q1', correctOptionId: 1 },
  { questionId: 'q2', correctOptionId: 2 },
  { questionId: 'q3', correctOptionId: 3 },
];

describe('scoring', () => {
  it.each([
    ['nothing answered', [], 0],
    ['a wrong option', [{ questionId: 'q1', optionId: 2 }], 0],
    ['a cleared answer', [{ questionId: 'q1', optionId: null }], 0],
    ['an answer to a question that is not on the paper', [{ questionId: 'q9', optionId: 1 }], 0],
    ['one correct', [{ questionId: 'q2', optionId: 2 }], 1],
    [
      'correct, wrong and unanswered',
      [
        { questionId: 'q1', optionId: 1 },
        { questionId: 'q2', optionId: 1 },
        { questionId: 'q3', optionId: null },
      ],
      1,
    ],
    [
      'all correct, in any order',
      [
        { questionId: 'q3', optionId: 3 },
        { questionId: 'q1', optionId: 1 },
        { questionId: 'q2', optionId: 2 },
      ],
      3,
    ],
  ])('gives one mark per correct answer: %s', (_, answers: ScorableAnswer[], score) => {
    expect(scorePaper(paper, answers)).toEqual({ score, totalMarks: 3 });
  });

  it('stays between 0 and the number of questions, and is the same at every recomputation', () => {
    const position = fc.record({
      questionId: fc.string({ minLength: 1, maxLength: 3 }),
      correctOptionId: fc.integer({ min: 1, max: 4 }),
    });
    const given = fc.record({
      questionId: fc.string({ minLength: 1, maxLength: 3 }),
      optionId: fc.option(fc.integer({ min: 1, max: 4 })),
    });
    const byQuestion = { selector: (q: { questionId: string }) => q.questionId };
    fc.assert(
      fc.property(
        fc.uniqueArray(position, byQuestion),
        fc.uniqueArray(given, byQuestion),
        (questions, answers) => {
          const result = scorePaper(questions, answers);
          expect(result.totalMarks).toBe(questions.length);
          expect(result.score).toBeGreaterThanOrEqual(0);
          expect(result.score).toBeLessThanOrEqual(result.totalMarks);
          expect(scorePaper(questions, answers.toReversed())).toEqual(result);
          const right = answers.filter((a) =>
            questions.some(
              (q) => q.questionId === a.questionId && q.correctOptionId === a.optionId,
            ),
          );
          expect(result.score).toBe(right.length);
        },
      ),
    );
  });
});
