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

describe('negative marks of 25 percent, in questions of 2 points', () => {
  const twoRight = options(true, true, false, false);
  const choice = { type: 'multiple_choice', rule: 'weights' } as const;
  const kinds = {
    whole: { options: twoRight },
    minus: { rule: 'right_minus_wrong', options: twoRight },
    each: { rule: 'per_option', options: twoRight },
    weights: { rule: 'weights', options: weighted(50, 30, -50, 0, 60) },
    choice: { ...choice, options: weighted(100, 33.33333, 0, -50) },
    // Other systems have single choices with several right options, of which any is accepted.
    either: { ...choice, rule: 'all_or_nothing', options: options(true, true, false) },
    twelve: { options: Array.from({ length: 12 }, (_, i) => options(i === 10)[0]!) },
    number: {
      type: 'numeric',
      rule: 'weights',
      numeric: {
        accepted: [
          { value: '42', weight: 100 },
          { min: '40', max: '44', weight: 33.33333 },
        ],
        units: [{ unit: 'km', factor: '1000' }],
      },
    },
    tolerance: {
      type: 'numeric',
      numeric: { accepted: [{ value: '200', tolerancePercent: '1' }] },
    },
    text: {
      type: 'short_text',
      rule: 'weights',
      shortText: {
        accepted: [
          { text: 'Ada Lovelace', weight: 100 },
          { text: 'Lovelace', weight: 66.66667 },
          { text: 'Byron', weight: -50 },
        ],
      },
    },
  } satisfies Record<string, Partial<QuestionDefinition>>;

  // Worked out by hand from the rules: with the floor at the question, and at the total.
  it.each<[keyof typeof kinds, string | number, number, number]>([
    ['whole', '1,2', 2, 2],
    ['whole', '1', 0, -0.5],
    ['whole', '', 0, 0],
    ['minus', '1,2,3', 0.5, 0.5],
    ['minus', '1,3,4', 0, -1],
    ['each', '1,3', 0.5, 0.5],
    ['each', '3,4', 0, -1],
    ['weights', '1,5', 2, 2],
    ['weights', '1,2,4', 1.1, 1.1],
    ['weights', '1,3', 0, -0.5],
    ['choice', 2, 0.6667, 0.6667],
    ['choice', 3, 0, -0.5],
    ['choice', 4, 0, -0.5],
    ['either', 2, 2, 2],
    ['either', 3, 0, -0.5],
    ['twelve', '11', 2, 2],
    ['twelve', '1', 0, -0.5],
    ['number', '0,042 km', 2, 2],
    ['number', '43.5', 0.6667, 0.6667],
    ['number', '44.01', 0, -0.5],
    ['tolerance', '1,98e2', 2, 2],
    ['tolerance', '202.1', 0, -0.5],
    ['text', 'lovelace', 1.3333, 1.3333],
    ['text', 'Byron', 0, -0.5],
    ['text', 'nobody', 0, -0.5],
  ])('%s, answered %j', (kind, given, floored, negative) => {
    const paper = [question({ points: 2, ...kinds[kind] }), plain('q2', 1)];
    const answer = typeof given === 'number' ? select('q', given) : respond('q', given);
    const scored = (['question', 'total'] as const).map((floor) =>
      scorePaper(paper, [select('q2', 1), answer], { percent: 25, floor }),
    );
    expect(scored.map(({ questions: [q] }) => q!.points / 10_000)).toEqual([floored, negative]);
    expect(scored.map(({ points }) => points / 10_000)).toEqual([1 + floored, 1 + negative]);
    expect(scored[0]?.questions[0]).toMatchObject({ maxPoints: 20_000, isCorrect: floored === 2 });
  });

  it('leave no total below 0', () => {
    const paper = [question({ points: 2, ...kinds.whole })];
    const negative = { percent: 25, floor: 'total' } as const;
    expect(scorePaper(paper, [respond('q', '3')], negative)).toMatchObject({ points: 0, score: 0 });
  });
});

describe('points', () => {
  it('are rounded half away from zero, and a total from the exact sum', () => {
    const cent = question({ points: 0.01, options: options(true, false) });
    const lost = scorePaper([cent], [respond('q', '2')], { percent: 0.5, floor: 'total' });
    expect(lost.questions[0]?.points).toBe(-1);
    const thirds = ['a', 'b', 'c'].map((id) =>
      question({ rule: 'weights', options: weighted(33.33333, 100) }, id),
    );
    const scored = scorePaper(
      thirds,
      thirds.map(({ questionId }) => respond(questionId, '1')),
      null,
    );
    expect(scored.questions.map((q) => q.points)).toEqual([3_333, 3_333, 3_333]);
    expect(scored).toMatchObject({ points: 10_000, score: 0 });
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
    [['\u00baC'], '5 \u00baC', 1],
    [['\u02daC'], '5 \u00b0C', 1],
    [['\u2033'], '5\u2033', 1],
    [['\u2033'], '5"', 1],
    [['\u2033'], '5\u2032', 0],
    [['m\u207b\u00b9'], '5 m^-1', 1],
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
        // The first of several units is the right one.
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
