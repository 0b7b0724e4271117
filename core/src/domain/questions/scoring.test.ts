import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QuestionDefinition, ScoringRule } from './question-definition.ts';
import { versionOf } from './question-versions.ts';
import {
  type NegativeMarks,
  type ScorableAnswer,
  type ScorableQuestion,
  scorePaper,
} from './scoring.ts';

const plain = (questionId: string, correctOptionId: number): ScorableQuestion => ({
  questionId,
  optionIds: [1, 2, 3, 4],
  correctOptionId,
  details: null,
});
const select = (questionId: string, optionId: number | null): ScorableAnswer => ({
  questionId,
  optionId,
  response: null,
});
const respond = (questionId: string, response: string): ScorableAnswer => ({
  questionId,
  optionId: null,
  response,
});

describe('a paper of plain questions', () => {
  const paper = [plain('q1', 1), plain('q2', 2), plain('q3', 3)];

  it.each([
    ['nothing answered', [], 0],
    ['a wrong option', [select('q1', 2)], 0],
    ['a cleared answer', [select('q1', null)], 0],
    ['an answer to a question that is not on the paper', [select('q9', 1)], 0],
    ['one correct', [select('q2', 2)], 1],
    ['correct, wrong and unanswered', [select('q1', 1), select('q2', 1), select('q3', null)], 1],
    ['all correct, in any order', [select('q3', 3), select('q1', 1), select('q2', 2)], 3],
  ])('gets one mark per correct answer: %s', (_, answers: ScorableAnswer[], score) => {
    const result = scorePaper(paper, answers, null);
    expect(result).toMatchObject({ score, points: score * 10_000, maxPoints: 30_000 });
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
        (positions, choices) => {
          const questions = positions.map((p) => plain(p.questionId, p.correctOptionId));
          const answers = choices.map((c) => select(c.questionId, c.optionId));
          const result = scorePaper(questions, answers, null);
          expect(scorePaper(questions, answers.toReversed(), null)).toEqual(result);
          const right = choices.filter((c) =>
            positions.some(
              (p) => p.questionId === c.questionId && p.correctOptionId === c.optionId,
            ),
          );
          expect(result.score).toBe(right.length);
          expect(result.points).toBe(right.length * 10_000);
        },
      ),
    );
  });
});

/** A stored question; its options have the ids 1, 2, 3 … in the author's order. */
function question(
  definition: Partial<QuestionDefinition>,
  questionId = 'q',
): ScorableQuestion & { questionId: string } {
  const { content } = versionOf({
    type: 'multiple_response',
    format: 'markdown',
    question: 'Q',
    options: [],
    points: 1,
    rule: 'all_or_nothing',
    ...definition,
  });
  return { questionId, ...content };
}

const options = (...isCorrect: boolean[]) =>
  isCorrect.map((correct, i) => ({ text: `option ${i}`, isCorrect: correct }));
const weighted = (...weights: number[]) =>
  weights.map((weight, i) => ({ text: `option ${i}`, isCorrect: weight > 0, weight }));

const pointsOf = (q: ScorableQuestion, answer: string, negative: NegativeMarks | null = null) =>
  (scorePaper([q], [respond('q', answer)], negative).questions[0]?.points ?? Number.NaN) / 10_000;

describe('a multiple response of four options, A and B right, for 2 points', () => {
  // Worked out by hand from the rules.
  it.each<[string, number, number, number]>([
    // selected, all or nothing, right minus wrong, per option
    ['', 0, 0, 0],
    ['1', 0, 1, 1.5],
    ['3', 0, 0, 0.5],
    ['1,2', 2, 2, 2],
    ['1,3', 0, 0, 1],
    ['3,4', 0, 0, 0],
    ['1,2,3', 0, 1, 1.5],
    ['1,3,4', 0, 0, 0.5],
    ['1,2,3,4', 0, 0, 1],
  ])('earns by rule for %s', (selected, allOrNothing, rightMinusWrong, perOption) => {
    const by = (rule: ScoringRule) =>
      pointsOf(question({ points: 2, rule, options: options(true, true, false, false) }), selected);
    expect(by('all_or_nothing')).toBe(allOrNothing);
    expect(by('right_minus_wrong')).toBe(rightMinusWrong);
    expect(by('per_option')).toBe(perOption);
  });

  it.each([
    ['1', 1],
    ['1,2', 1.6],
    ['1,3', 0],
    ['3', 0],
    ['2,3', 0],
    ['1,2,4', 1.6],
    ['', 0],
  ])('earns the weights of what is selected, at least 0: %s', (selected, points) => {
    const q = question({ points: 2, rule: 'weights', options: weighted(50, 30, -50, 0) });
    expect(pointsOf(q, selected)).toBe(points);
  });
});

describe('points', () => {
  it('are summed exactly and rounded once: three thirds are one', () => {
    const third = options(true, true, true);
    const paper = ['a', 'b', 'c'].map((id) =>
      question({ rule: 'right_minus_wrong', options: third }, id),
    );
    const result = scorePaper(
      paper,
      ['a', 'b', 'c'].map((id) => respond(id, '1')),
      null,
    );
    expect(result.questions.map((q) => q.points)).toEqual([3_333, 3_333, 3_333]);
    expect(result).toMatchObject({ points: 10_000, maxPoints: 30_000, score: 0 });
  });

  it('keep the fractions of other systems: three times 33.33333 percent of 3 points', () => {
    const q = question({
      points: 3,
      rule: 'weights',
      options: weighted(33.33333, 33.33333, 33.33333),
    });
    expect(pointsOf(q, '1')).toBe(1);
    expect(pointsOf(q, '1,2,3')).toBe(3);
    // All points shown means fully right, at any number of points.
    for (const points of [0.25, 1, 3, 100]) {
      const paper = [{ ...q, details: q.details && { ...q.details, points } }];
      expect(scorePaper(paper, [respond('q', '1,2,3')], null)).toMatchObject({
        score: 1,
        questions: [{ points: points * 10_000, isCorrect: true }],
      });
      expect(scorePaper(paper, [respond('q', '1,2')], null).score).toBe(0);
    }
  });

  it('that are not quite all are not fully right', () => {
    const q = question({ points: 100, rule: 'weights', options: weighted(33.333, 33.333, 33.333) });
    expect(scorePaper([q], [respond('q', '1,2,3')], null)).toMatchObject({
      score: 0,
      questions: [{ points: 999_990, isCorrect: false }],
    });
  });

  it('are exact for every number of options', () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { minLength: 2, maxLength: 26 }),
        fc.array(fc.boolean(), { minLength: 26, maxLength: 26 }),
        fc.integer({ min: 25, max: 10_000 }),
        (isCorrect, isSelected, hundredths) => {
          fc.pre(isCorrect.includes(true));
          const selected = isCorrect.flatMap((_, i) => (isSelected[i] ? [i + 1] : []));
          fc.pre(selected.length > 0);
          const asTheKey = isCorrect.filter((c, i) => c === isSelected[i]).length;
          const q = question({
            points: hundredths / 100,
            rule: 'per_option',
            options: options(...isCorrect),
          });
          // In ten-thousandths, half up, with whole numbers only.
          const numerator = BigInt(hundredths * 100 * asTheKey) * 2n + BigInt(isCorrect.length);
          const expected = Number(numerator / (2n * BigInt(isCorrect.length))) / 10_000;
          expect(pointsOf(q, selected.join(','))).toBe(expected);
        },
      ),
    );
  });
});

describe('negative marks', () => {
  const single = question({
    type: 'multiple_choice',
    points: 2,
    options: options(true, false, false),
  });
  const paper = (n: number) =>
    Array.from({ length: n }, (_, i) => ({ ...single, questionId: `q${i}` }));
  const quarter = (floor: 'question' | 'total'): NegativeMarks => ({ percent: 25, floor });

  it('cost a share of the points of each wrong answer, and blanks cost nothing', () => {
    const answers = [select('q0', 1), select('q1', 2), select('q2', null)];
    expect(scorePaper(paper(3), answers, quarter('total'))).toMatchObject({
      points: 15_000,
      questions: [{ points: 20_000 }, { points: -5_000 }, { points: 0 }],
    });
    expect(scorePaper(paper(3), answers, quarter('question'))).toMatchObject({ points: 20_000 });
  });

  it('never make the total negative', () => {
    const answers = [select('q0', 2), select('q1', 2)];
    expect(scorePaper(paper(2), answers, quarter('total')).points).toBe(0);
  });

  it('count each wrong selection of a multiple response, and a wrong whole once', () => {
    const by = (rule: ScoringRule, selected: string) =>
      pointsOf(
        question({ points: 1, rule, options: options(true, true, false, false) }),
        selected,
        quarter('total'),
      );
    expect(by('per_option', '1,2,3')).toBe(0.5);
    expect(by('per_option', '1')).toBe(0.75);
    expect(by('all_or_nothing', '1,3,4')).toBe(-0.25);
  });
});

describe('typed answers', () => {
  const numeric = question({
    type: 'numeric',
    points: 2,
    rule: 'weights',
    numeric: {
      accepted: [
        { value: '9.81', weight: 100 },
        { min: '9.7', max: '9.9', weight: 50 },
        { value: '10', tolerancePercent: '1', weight: 25 },
      ],
      units: [
        { unit: 'm/s²', factor: '1' },
        { unit: 'cm/s²', factor: '0.01' },
      ],
    },
  });

  it.each([
    ['9.81', 2],
    ['9,81', 2],
    ['981 cm/s²', 2],
    ['9.810000', 2],
    ['0.981e1', 2],
    ['9.8', 1],
    ['9.9', 1],
    ['9.95', 0.5],
    ['10.1', 0.5],
    ['10.11', 0],
    ['9.81 kg', 0],
    ['-9.81', 0],
    ['about ten', 0],
  ])('of a number earn the best match: %s', (text, points) => {
    expect(pointsOf(numeric, text)).toBe(points);
  });

  it.each([
    ['Paris', 1],
    [' paris ', 1],
    ['New  York', 1],
    ['new york', 1],
    ['NewYork', 0],
    ['Par is', 0],
  ])('of a text ignore case and repeated spaces: %s', (text, points) => {
    const q = question({
      type: 'short_text',
      shortText: { accepted: [{ text: 'Paris' }, { text: 'New York' }] },
    });
    expect(pointsOf(q, text)).toBe(points);
  });

  it('of a text respect case and spaces where the author asks for it', () => {
    const shortText = { accepted: [{ text: 'a  B' }], isCaseSensitive: true, isSpaceExact: true };
    const q = question({ type: 'short_text', shortText });
    expect(['a  B', 'a B', 'a  b'].map((text) => pointsOf(q, text))).toEqual([1, 0, 0]);
  });
});
