import { type GivenAnswer, isBlank } from './given-answer.ts';
import type { Correction, QuestionDetails } from './question-definition.ts';
import { TYPES } from './types/question-types.ts';
import { asWhole, type Evaluation, FULL } from './types/weights.ts';

/** A question version as scoring needs it; `details` null is a plain question. */
export interface ScorableQuestion {
  questionId: string;
  optionIds: readonly number[];
  correctOptionId: number | null;
  details: QuestionDetails | null;
  correction?: Correction | null;
}

export interface ScorableAnswer extends GivenAnswer {
  questionId: string;
}

export interface NegativeMarks {
  /** Percent of the question's points for each wrong answer, above 0 to 100, at most two decimals. */
  percent: number;
  /** The value that is never negative: the points of each question, or only the total. */
  floor: 'question' | 'total';
}

/** The result of one question. Points in ten-thousandths, rounded half away from zero. */
export interface QuestionScore {
  questionId: string;
  points: number;
  maxPoints: number;
  isCorrect: boolean;
}

/** The result of a paper. `score` counts questions with full points. Points as in `QuestionScore`. */
export interface PaperScore {
  score: number;
  points: number;
  maxPoints: number;
  questions: QuestionScore[];
}

/** Points are stored as whole numbers of this many parts. */
export const POINT_PARTS = 10_000;

const HUNDREDTHS = 100n;
/** The parts of a point in which points are exact: whole numbers for every rule, so that sums are exact too. */
export const EXACT_PARTS = FULL * HUNDREDTHS;

/** The exact result of one question, in `EXACT_PARTS` of a point. */
export interface ExactScore {
  points: bigint;
  maxPoints: bigint;
  isCorrect: boolean;
}

/**
 * Scores a paper by the rules of its questions. A question left blank is 0 under every rule. The total is
 * the exact sum, rounded once: three thirds of a point are one point.
 *
 * @param countsRight as in `scoreQuestion`
 */
export function scorePaper(
  paper: readonly ScorableQuestion[],
  answers: readonly ScorableAnswer[],
  negative: NegativeMarks | null,
  countsRight = false,
): PaperScore {
  const answerOf = new Map(answers.map((answer) => [answer.questionId, answer]));
  const exact = paper.map((question) => {
    const { questionId } = question;
    return {
      questionId,
      ...scoreQuestion(question, answerOf.get(questionId), negative, countsRight),
    };
  });
  const total = exact.reduce((sum, { points }) => sum + points, 0n);
  return {
    score: exact.filter(({ isCorrect }) => isCorrect).length,
    points: rounded(total < 0n ? 0n : total),
    maxPoints: rounded(exact.reduce((sum, { maxPoints }) => sum + maxPoints, 0n)),
    questions: exact.map(({ questionId, points, maxPoints, isCorrect }) => ({
      ...{ questionId, points: rounded(points), maxPoints: rounded(maxPoints), isCorrect },
    })),
  };
}

/**
 * Scores one question. What adds up points of questions adds these, and rounds the sum.
 *
 * @param countsRight a right answer is one mark, and any other none, whatever the question is worth
 */
export function scoreQuestion(
  question: ScorableQuestion,
  answer: GivenAnswer | undefined,
  negative: NegativeMarks | null,
  countsRight = false,
): ExactScore {
  const [points, maxPoints] = [scoreExactly(question, answer, negative), mostParts(question)];
  // Points are compared as shown: three times 33.33333 percent, as other systems export thirds, are the
  // full points.
  const isFull = rounded(points) === rounded(maxPoints);
  const isCorrect = isFull && question.correction?.kind !== 'left_out';
  return countsRight && maxPoints !== 0n
    ? { points: isCorrect ? EXACT_PARTS : 0n, maxPoints: EXACT_PARTS, isCorrect }
    : { points, maxPoints, isCorrect };
}

/** An attempt that began without points counts right answers, whatever its questions have become since. */
export const doesCountRight = (attempt: { maxPoints: number | null; countsRight: true | null }) =>
  attempt.maxPoints === null || attempt.countsRight !== null;

/**
 * The most points of a paper, in ten-thousandths; `null` where none of its questions has points of its
 * own and wrong answers cost nothing: such a paper has only a score, as it always had.
 *
 * @param points of each question; null for a plain one, which counts 1
 */
export function maxPointsOf(
  points: readonly (number | null)[],
  negative: NegativeMarks | null,
): number | null {
  if (negative === null && points.every((p) => p === null)) return null;
  return points.reduce<number>((sum, p) => sum + Math.round((p ?? 1) * 100) * 100, 0);
}

/** Points as people read them: at most four decimals, without trailing zeros. */
export function pointsOf(parts: number): number {
  return parts / POINT_PARTS;
}

function scoreExactly(
  question: ScorableQuestion,
  answer: GivenAnswer | undefined,
  negative: NegativeMarks | null,
): bigint {
  const most = mostParts(question);
  if (question.correction?.kind === 'full_points') return most;
  if (!answer || isBlank(answer)) return 0n;
  const { share, wrong } = evaluateAnswer(question, answer);
  const earned = (most * share) / FULL;
  if (!negative || wrong === 0) return earned;
  const lost = (most * BigInt(wrong) * BigInt(Math.round(negative.percent * 100))) / 10_000n;
  const points = earned - lost;
  return negative.floor === 'question' && points < 0n ? 0n : points;
}

function evaluateAnswer(
  { optionIds, correctOptionId, details, correction }: ScorableQuestion,
  answer: GivenAnswer,
): Evaluation {
  const only = answer.optionId ?? Number(answer.response);
  if (correction?.kind === 'also_right' && correction.optionIds.includes(only))
    return asWhole(true);
  if (!details) return asWhole(answer.optionId === correctOptionId);
  return TYPES[details.type].evaluate(details, optionIds, answer);
}

function mostParts({ details, correction }: ScorableQuestion): bigint {
  if (correction?.kind === 'left_out') return 0n;
  return BigInt(Math.round((details?.points ?? 1) * 100)) * FULL;
}

/** Rounds to ten-thousandths of a point, half away from zero. */
function rounded(parts: bigint): number {
  const positive = parts < 0n ? -parts : parts;
  const units = (positive * BigInt(POINT_PARTS) * 2n + EXACT_PARTS) / (EXACT_PARTS * 2n);
  return Number(parts < 0n ? -units : units);
}
