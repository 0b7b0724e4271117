import { figureText } from '@invigil/core/domain/locale';
import type {
  QuestionDefinition,
  ScoringRule,
} from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';

/** The points of a response according to the file; a response is what was selected or typed. */
export type Score<Response> = (response: Response) => number;

/** Response processing that is not read, with a sentence that says what it is. */
export class NotSupported extends Error {}

/** A note, or one that names the points which the question has in the end. */
export type Note = string | ((points: number) => string);

/** Why a question is refused whose points cannot be found. */
export const unreadRuleText = (rule: string): string =>
  t(
    /* “its”: of a question of the file; {rule} as the file names it, or what it reads */ 'import.qti.unreadRule',
    'Its points depend on a rule that is not read here ({rule}).',
    { rule },
  );

/** Why a question with several fields is refused. */
export const placesText = (count: number): string =>
  t(
    /* “it”: a question of the file */ 'import.qti.places',
    '{count, plural, one {It has {figure} places for answers; a question has one.} other {It has {figure} places for answers; a question has one.}}',
    { count, figure: figureText(count) },
  );

/** More texts or numbers than any question accepts; each is tried. */
const MOST_TRIED = 500;

/** Throws NotSupported when a file names more than can be tried in good time. */
export function limitTried(values: readonly unknown[]): void {
  if (values.length > MOST_TRIED) {
    throw new NotSupported(
      t(
        /* “it”: a question of the file */ 'import.qti.tooManyTried',
        '{count, plural, one {It compares with {figure} texts or numbers; at most {most} are read.} other {It compares with {figure} texts or numbers; at most {most} are read.}}',
        { count: values.length, figure: figureText(values.length), most: MOST_TRIED },
      ),
    );
  }
}

/** Typed answers as a file scores them. */
export interface TypedScoring {
  /** The maximum that the file declares. */
  declaredMost?: number | undefined;
  /** The rules are a template that gives one point, whatever the file says the most is. */
  isTemplate?: boolean | undefined;
  /** Weights are meant, also where all earn the same. */
  isWeighted?: boolean | undefined;
}

/** The key of a typed answer that earns the same. */
export interface FittedKey extends Pick<QuestionDefinition, 'numeric' | 'shortText'> {
  rule: ScoringRule;
  points: number;
  notes: Note[];
}

/** Accepted answers by the rule that gives them their scores, of which `reached` is the highest. */
export function fitAccepted<Accepted extends object>(
  found: readonly { accepted: Accepted; score: number }[],
  reached: number,
  { declaredMost, isTemplate, isWeighted }: TypedScoring,
) {
  const isWhole = found.every(({ score }) => isNear(score, reached));
  const { points, notes } = pointsOf(reached, declaredMost, isTemplate === true && isWhole);
  const isAllOrNothing = isWhole && isNear(points, reached) && !isWeighted;
  const accepted = found.map((one) =>
    isAllOrNothing
      ? one.accepted
      : { ...one.accepted, weight: Math.max(-100, percentOf(one.score, points)) },
  );
  const rule: ScoringRule = isAllOrNothing ? 'all_or_nothing' : 'weights';
  return { rule, accepted, points, notes };
}

/** Equal but for the rounding of binary fractions: 0.1 + 0.2 is 0.3. */
export function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a), Math.abs(b));
}

/** The same of single numbers, which may be tiny: 1.1 × 1.05 is 1.155. */
export function isClose(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
}

/** A share of the points in percent with at most five decimals, as weights are stored. */
export function percentOf(score: number, points: number): number {
  return Number(((score / points) * 100).toFixed(5));
}

/**
 * The points of a question: what the file says the most is, unless more can be reached. With
 * `isMostReached`, what can be reached counts alone.
 */
export function pointsOf(
  reached: number,
  declared: number | undefined,
  isMostReached: boolean,
): { points: number; notes: Note[] } {
  if (declared === undefined || isMostReached || declared < reached) {
    const isOther = declared !== undefined && !isNear(declared, reached);
    return {
      points: reached,
      notes: isOther ? [(points) => moreReachedText(declared, reached, points)] : [],
    };
  }
  return { points: declared, notes: [] };
}

const moreReachedText = (declared: number, reached: number, points: number): string =>
  t(
    /* “it”: a question of the file; {most} is the same number as {declared} */ 'import.qti.moreReached',
    '{declared, plural, one {The file says at most {most} points, while {reached} are reached; it has {points}.} other {The file says at most {most} points, while {reached} are reached; it has {points}.}}',
    {
      declared,
      most: figureText(declared),
      reached: figureText(reached),
      points: figureText(points),
    },
  );

/** A number of an attribute; `undefined` where it is none. */
export function numberOf(text: string | undefined): number | undefined {
  const number = Number(text);
  return text === undefined || text.trim() === '' || !Number.isFinite(number) ? undefined : number;
}
