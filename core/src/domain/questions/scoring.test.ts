import { describe, expect, it } from 'vitest';
import type { QuestionDefinition, ScoringRule } from './question-definition.ts';
import { versionOf } from './question-versions.ts';
import { maxPointsOf, type ScorableAnswer, type ScorableQuestion, scorePaper } from './scoring.ts';

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

const pointsOf = (q: ScorableQuestion, answer: string) =>
  (scorePaper([q], [respond('q', answer)], null).questions[0]?.points ?? Number.NaN) / 10_000;

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
});

describe('what was decided for everyone', () => {
  const negative = { percent: 25, floor: 'total' } as const;

  it.each<[NonNullable<ScorableQuestion['correction']>, number, number, boolean[]]>([
    [{ kind: 'full_points' }, 20_000, 20_000, [true, true, true]],
    [{ kind: 'left_out' }, 0, 0, [false, false, false]],
    // Right, also right, and blank.
    [{ kind: 'also_right', optionIds: [2] }, 20_000, 20_000, [true, true, false]],
  ])('%j counts for a right, a wrong and a blank answer', (correction, right, most, isCorrect) => {
    const q = question({ points: 2, rule: 'all_or_nothing', options: options(true, false, false) });
    const answers = [[respond('q', '1')], [respond('q', '2')], []];
    const scored = answers.map((given) => scorePaper([{ ...q, correction }], given, negative));
    expect(scored.map(({ questions: [one] }) => one?.isCorrect)).toEqual(isCorrect);
    expect(scored.map(({ maxPoints }) => maxPoints)).toEqual([most, most, most]);
    expect(scored[0]?.points).toBe(right);
    expect(scored[2]?.points).toBe(isCorrect[2] ? right : 0);
  });

  it('the most points of a paper are known where a question has points or a wrong answer costs some', () => {
    expect(maxPointsOf([null, null], null)).toBeNull();
    expect(maxPointsOf([null, null], negative)).toBe(20_000);
    expect(maxPointsOf([null, 2.25], null)).toBe(32_500);
  });
});

describe('typed answers', () => {
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

  const shortText = (accepted: string, settings: object = {}) =>
    question({
      type: 'short_text',
      shortText: { accepted: [{ text: accepted }], ...settings },
    });
  const EXACT = { isCaseSensitive: true, isSpaceExact: true };

  it.each([
    ["it's", 'it\u2019s'],
    ['it\u2018s', 'it\u00b4s'],
    ['"no"', '\u201eno\u201c'],
    ['\u00abno\u00bb', '\u201dno\u201d'],
    ['well-known', 'well\u2011known'],
    ['1914\u20131918', '1914-1918'],
    ['\u22125', '\u20145'],
    ['wait...', 'wait\u2026'],
    ['ABC12', '\uff21\uff22\uff23\uff11\uff12'],
    ['\u30ac\u30c3', '\uff76\uff9e\uff6f'],
    ['hyphen', 'hy\u00adphen\u200b'],
    ['New York', 'New\u00a0York'],
    ['New York', '\u2009New\u202fYork\u3000'],
    ['caf\u00e9', 'cafe\u0301'],
    ['\ufb01nal', 'final'],
    ['\u00b5m', '\u03bcm'],
  ])(
    'of a text take signs that keyboards choose for one, exact or not: %s, %s',
    (accepted, text) => {
      for (const settings of [{}, EXACT]) {
        expect(pointsOf(shortText(accepted, settings), text), JSON.stringify(settings)).toBe(1);
        expect(pointsOf(shortText(text, settings), accepted), JSON.stringify(settings)).toBe(1);
      }
    },
  );

  it.each([
    ['x\u00b2', 'x2'],
    ['H\u2082O', 'H2O'],
    ['\u00bd', '1/2'],
    ['caf\u00e9', 'cafe'],
    ["'a'", '"a"'],
    ['\u211d', 'R'],
    ['i--', 'i-'],
    ['New York', 'NewYork'],
  ])('of a text keep apart what reads otherwise: %s, %s', (accepted, text) => {
    expect(pointsOf(shortText(accepted), text)).toBe(0);
    expect(pointsOf(shortText(text), accepted)).toBe(0);
  });

  it.each<[string, string, object | undefined, number]>([
    ['50', '50 %', undefined, 1],
    ['50', '50 kg', undefined, 0],
    ['50', '50 %', { units: [{ unit: 'kg', factor: '1' }] }, 0],
    ['50', '50 %', { units: [{ unit: '%', factor: '1' }] }, 1],
    ['50', '\u20ac50', { units: [{ unit: '\u20ac', factor: '1' }] }, 1],
    ['1', '1/2', undefined, 0],
    ['1234.5', '1\u2019234.5', undefined, 1],
  ])('of a number: key %s, typed %s, %j', (value, text, more, points) => {
    const numeric = { accepted: [{ value }], ...more };
    expect(pointsOf(question({ type: 'numeric', numeric }), text)).toBe(points);
  });

  it.each([
    [['kg'], '5 KG', 1],
    [['kg'], '5 Kg', 1],
    [['mol'], '5 Mol', 1],
    [['km/h'], '5 KM / H', 1],
    [['m/s\u00b2'], '5 M/S^2', 1],
    [['mL'], '5 ml', 1],
    [['\u00b5m'], '5 \u03bcm', 1],
    [['\u00b0C'], '5 \u00bac', 1],
    [['meter'], '5 Meter', 1],
    [['mW'], '5 MW', 0],
    [['MHz'], '5 mhz', 0],
    [['mm', 'Mm'], '5 MM', 0],
    [['kB'], '5 kb', 0],
    [['Pa'], '5 pA', 0],
    [['s', 'S'], '5 S', 0],
    [['g'], '5 kg', 0],
  ])(
    'of a number compare units %j without case where that is unambiguous: %s',
    (units, text, points) => {
      const numeric = {
        accepted: [{ value: '5' }],
        // Of several, the first is the right one.
        units: units.map((unit, i) => ({ unit, factor: i === 0 ? '1' : '1000' })),
      };
      expect(pointsOf(question({ type: 'numeric', numeric }), text)).toBe(points);
    },
  );

  it('of a text respect case and spaces where the author asks for it', () => {
    const q = shortText('a  B', EXACT);
    expect(['a  B', 'a B', 'a  b'].map((text) => pointsOf(q, text))).toEqual([1, 0, 0]);
    const folded = [{}, EXACT].map((settings) => shortText('Stra\u00dfe', settings));
    expect(folded.map((street) => pointsOf(street, 'STRASSE'))).toEqual([1, 0]);
  });
});
