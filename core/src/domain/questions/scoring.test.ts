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
    ['Stra\u00dfe', 'STRASSE'],
    ['STRA\u1e9eE', 'stra\u00dfe'],
    ['\u0130stanbul', 'istanbul'],
    ['Isparta', '\u0131sparta'],
    ['\u039f\u0394\u039f\u03a3', '\u03bf\u03b4\u03bf\u03c2'],
    ['o\ufb03ce', 'OFFICE'],
  ])('of a text fold case by Unicode, unless case counts: %s, %s', (accepted, text) => {
    expect(pointsOf(shortText(accepted), text)).toBe(1);
    expect(pointsOf(shortText(text), accepted)).toBe(1);
    expect(pointsOf(shortText(accepted, EXACT), text)).toBe(0);
  });

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
    ['50', '50\u202f\uff05', undefined, 1],
    ['45', '45\u00b0', undefined, 1],
    ['45', '45\u00ba', undefined, 1],
    ['12.5', '\u20ac 12,50', undefined, 1],
    ['-12.5', '-$12.50', undefined, 1],
    ['12.5', '12,50 CHF', undefined, 1],
    ['50', '50 kg', undefined, 0],
    ['50', '50 %', { units: [{ unit: 'kg', factor: '1' }] }, 0],
    ['50', '50 %', { units: [{ unit: '%', factor: '1' }] }, 1],
    ['50', '\u20ac50', { units: [{ unit: '\u20ac', factor: '1' }] }, 1],
    ['1', '1/2', undefined, 0],
    ['10', '10\u00b2', undefined, 0],
    ['100', '10\u00b2', undefined, 1],
    ['0.001', '10\u207b\u00b3', undefined, 1],
    ['3.5', '3\u00bd', undefined, 0],
    ['1200', '1.2 \u00d7 10\u00b3', undefined, 1],
    ['1234.5', '1\u2019234.5', undefined, 1],
    ['-5', '\u20145', undefined, 1],
    ['-12.5', '\u2212\u0661\u0662\u066b\u0665', undefined, 1],
    ['1234567', '\u0661\u066c\u0662\u0663\u0664\u066c\u0665\u0666\u0667', undefined, 1],
    ['1234', '\u0967\u0968\u0969\u096a', undefined, 1],
    ['1234', '\u0e51\u0e52\u0e53\u0e54', undefined, 1],
    ['1234', '\uff11\uff12\uff13\uff14', undefined, 1],
    ['12', '\u200f12\u200f', undefined, 1],
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
  });
});
