import { describe, expect, it } from 'vitest';
import { seededRandom } from './draw.ts';
import {
  isSingleChoice,
  type NumericKey,
  type QuestionDefinition,
  type QuestionType,
  SCORING_RULES,
  type ScoringRule,
  type ShortTextKey,
} from './question-definition.ts';
import { versionOf } from './question-versions.ts';
import { type NegativeMarks, type ScorableAnswer, scorePaper } from './scoring.ts';

/*
 * Points of many people in many questions, compared in every cell with a table made from the definitions
 * of the rules and not from the code.
 */

/** A question, and the answers that people give to it with what each is worth, in percent. */
interface Asked {
  type: QuestionType;
  rule: ScoringRule;
  points: number;
  /** Options, or texts to type. Without weights: above 0 is right. */
  answers: Record<string, number>;
  numeric?: NumericKey;
  shortText?: ShortTextKey;
}

const THIRD = 33.33333;
/** Every kind of question with its rules; what an answer is worth is worked out by hand. */
const EVERY_KIND: Asked[] = [
  {
    type: 'multiple_choice',
    rule: 'weights',
    points: 0.25,
    answers: { all: 100, third: THIRD, nothing: 0, negative: -50 },
  },
  {
    type: 'multiple_choice',
    rule: 'weights',
    points: 7.77,
    answers: { most: 66.66667, some: 0.00001, nothing: 0 },
  },
  { type: 'multiple_choice', rule: 'all_or_nothing', points: 3, answers: { yes: 100, no: 0 } },
  { type: 'true_false', rule: 'all_or_nothing', points: 0.75, answers: { True: 0, False: 100 } },
  {
    type: 'numeric',
    rule: 'weights',
    points: 3,
    numeric: {
      accepted: [
        { value: '42', weight: 100 },
        { min: '40', max: '44', weight: THIRD },
      ],
      units: [{ unit: 'km', factor: '1000' }],
    },
    answers: { '42': 100, '42.0': 100, '0,042 km': 100, '43.5': THIRD, '44.01': 0, many: 0 },
  },
  {
    type: 'numeric',
    rule: 'all_or_nothing',
    points: 0.25,
    numeric: { accepted: [{ value: '200', tolerancePercent: '1' }] },
    answers: { '202': 100, '1,98e2': 100, '202.1': 0 },
  },
  {
    type: 'short_text',
    rule: 'weights',
    points: 100,
    shortText: {
      accepted: [
        { text: 'Ada Lovelace', weight: 100 },
        { text: 'Lovelace', weight: 66.66667 },
        { text: 'Ada', weight: THIRD },
        { text: 'Byron', weight: -50 },
      ],
    },
    answers: { 'ada  LOVELACE ': 100, lovelace: 66.66667, ADA: THIRD, Byron: -50, nobody: 0 },
  },
  {
    type: 'short_text',
    rule: 'all_or_nothing',
    points: 1,
    shortText: { accepted: [{ text: 'pH' }], isCaseSensitive: true },
    answers: { pH: 100, ph: 0 },
  },
  // A Moodle export of three right options: together 99.99999 percent, which are the full points.
  {
    type: 'multiple_response',
    rule: 'weights',
    points: 3,
    answers: { a: THIRD, b: THIRD, c: THIRD, d: -THIRD },
  },
  {
    type: 'multiple_response',
    rule: 'right_minus_wrong',
    points: 0.25,
    answers: { a: 100, b: 100, c: 100, d: 0 },
  },
  {
    type: 'multiple_response',
    rule: 'per_option',
    points: 1.25,
    answers: { a: 100, b: 0, c: 0 },
  },
  {
    type: 'multiple_response',
    rule: 'all_or_nothing',
    points: 2.5,
    answers: { a: 100, b: 100, c: 0 },
  },
];

/** 40 multiple responses of 2 to 26 options, some of them right, for 0.25 to 4.24 points. */
function multipleResponses(rule: ScoringRule): Asked[] {
  const random = seededRandom('forty questions');
  return Array.from({ length: 40 }, () => {
    const isRight = Array.from(
      { length: 2 + Math.floor(random() * 25) },
      (_, i) => i === 0 || random() < 0.4,
    );
    const right = isRight.filter(Boolean).length;
    // As other systems export them: thirds with five decimals, wrong options negative.
    const weights = isRight.map((one) =>
      one ? Math.floor(1e7 / right) / 1e5 : -Math.floor(random() * 1e7) / 1e5,
    );
    const points = (25 + Math.floor(random() * 400)) / 100;
    const answers = Object.fromEntries(weights.map((weight, i) => [`option, "${i}"`, weight]));
    return { type: 'multiple_response' as const, rule, points, answers };
  });
}

/** What each person answers to each question; every tenth is left blank. The first knows all. */
function answersOf(asked: readonly Asked[], people: number): string[][][] {
  const random = seededRandom('their answers');
  return Array.from({ length: people }, (_, person) =>
    asked.map(({ type, answers }) => {
      const texts = Object.keys(answers);
      const one = texts[Math.floor(random() * texts.length)];
      const skill = random();
      if (random() < 0.1) return [];
      if (type !== 'multiple_response') return texts.filter((text) => text === one);
      return texts.filter((text) => {
        const isRight = (answers[text] ?? 0) > 0;
        return person === 0
          ? isRight
          : random() < (isRight ? 0.3 + 0.7 * skill : 0.4 * (1 - skill));
      });
    }),
  );
}

/** The answer as it is stored; options have the ids 1, 2, 3 … in the author's order. */
function stored({ type, answers }: Asked, questionId: string, given: string[]): ScorableAnswer {
  const ids = given.map((text) => Object.keys(answers).indexOf(text) + 1);
  const isTyped = type === 'numeric' || type === 'short_text';
  if (isTyped) return { questionId, optionId: null, response: given[0] ?? null };
  if (isSingleChoice(type)) return { questionId, optionId: ids[0] ?? null, response: null };
  return { questionId, optionId: null, response: ids.join(',') };
}

function versionFor({ type, rule, points, answers, numeric, shortText }: Asked, i: number) {
  const isTyped = type === 'numeric' || type === 'short_text';
  const options = Object.entries(answers).map(([text, weight]) => ({
    text,
    isCorrect: weight > 0,
    ...(rule === 'weights' ? { weight } : {}),
  }));
  const definition: QuestionDefinition = {
    ...{ type, rule, points, format: 'plain', question: `Question ${i}` },
    options: isTyped ? [] : options,
    ...(numeric ? { numeric } : {}),
    ...(shortText ? { shortText } : {}),
  };
  return { questionId: `${i}`, ...versionOf(definition).content };
}

/** A multiple of 1 to 26, the numbers of options. */
const SHARES = 26_771_144_400n;
/** A weight has five decimals of a percent. */
const WHOLE = SHARES * 10_000_000n;
/** Points are whole numbers of these parts, so that a total is rounded once. */
const PARTS = WHOLE * 100n * 10_000n;

/** What an answer earns by the definition of its rule, in `PARTS`. */
function earned(asked: Asked, given: string[], negative: NegativeMarks | null): bigint {
  const { type, rule, points, answers } = asked;
  if (given.length === 0) return 0n;
  const all = Object.entries(answers);
  const right = BigInt(all.filter(([text, w]) => w > 0 && given.includes(text)).length);
  const wrong = BigInt(given.length) - right;
  const correct = BigInt(all.filter(([, weight]) => weight > 0).length);
  const asTheKey = BigInt(all.filter(([text, w]) => given.includes(text) === w > 0).length);
  const weights = given.reduce((sum, text) => sum + BigInt(Math.round(1e5 * answers[text]!)), 0n);
  const most = (a: bigint, b: bigint) => (a > b ? a : b);
  const isWhole = type === 'multiple_response' ? asTheKey === BigInt(all.length) : right === 1n;
  const share = {
    all_or_nothing: isWhole ? WHOLE : 0n,
    right_minus_wrong: (most(0n, right - wrong) * WHOLE) / correct,
    per_option: (asTheKey * WHOLE) / BigInt(all.length),
    weights: weights > 10_000_000n ? WHOLE : most(0n, weights) * SHARES,
  }[rule];
  const mistakes = rule === 'all_or_nothing' ? BigInt(!isWhole) : wrong;
  const cost = mistakes * WHOLE * BigInt(Math.round(100 * (negative?.percent ?? 0)));
  const parts = BigInt(Math.round(100 * points)) * (share * 10_000n - cost);
  return negative?.floor === 'question' ? most(0n, parts) : parts;
}

/** In ten-thousandths of a point, half away from zero. */
function rounded(parts: bigint): number {
  const size = ((parts < 0n ? -parts : parts) * 20_000n + PARTS) / (2n * PARTS);
  return Number(parts < 0n ? -size : size);
}

/** Scores everyone and compares every cell; returns the points of the table, to show what it covers. */
function compare(asked: readonly Asked[], people: number, negative: NegativeMarks | null) {
  const paper = asked.map(versionFor);
  return answersOf(asked, people).flatMap((given, person) => {
    const actual = scorePaper(
      paper,
      // The order of the answers does not matter.
      given.map((texts, i) => stored(asked[i]!, `${i}`, texts)).toReversed(),
      negative,
    );
    const parts = given.map((texts, i) => earned(asked[i]!, texts, negative));
    const cells = parts.map(rounded);
    const full = asked.map(({ points }) => Math.round(10_000 * points));
    expect(actual.questions, `person ${person}`).toMatchObject(
      cells.map((points, i) => ({ points, maxPoints: full[i], isCorrect: points === full[i] })),
    );
    const total = parts.reduce((sum, one) => sum + one, 0n);
    expect(actual).toMatchObject({
      points: rounded(total < 0n ? 0n : total),
      score: cells.filter((points, i) => points === full[i]).length,
    });
    return cells;
  });
}

describe('points of many people, against a table', () => {
  it.each(SCORING_RULES)('are equal in 40 multiple responses of 200 people: %s', (rule) => {
    const cells = compare(multipleResponses(rule), 200, null);
    expect(new Set(cells).size).toBeGreaterThan(rule === 'all_or_nothing' ? 30 : 100);
  });

  it.each([
    null,
    { percent: 33.33, floor: 'question' },
    { percent: 33.33, floor: 'total' },
  ] as const)('are equal in every kind of question with negative marks %j', (negative) => {
    const cells = compare(EVERY_KIND, 300, negative);
    expect(new Set(cells).size).toBeGreaterThan(15);
    expect(cells.some((points) => points < 0)).toBe(negative?.floor === 'total');
    // Three thirds of Moodle's are full points.
    expect(cells[EVERY_KIND.findIndex(({ answers }) => answers.d === -THIRD)]).toBe(30_000);
  });
});
