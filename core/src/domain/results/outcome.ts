import { t } from '../../texts/i18n.ts';
import type { AttemptStatus, Verdict } from '../attempt.ts';
import type { PaperSection } from '../questions/draw-by-rules.ts';
import { type NamedSection, sectionIdOf } from '../questions/quiz-structure.ts';
import { POINT_PARTS } from '../questions/scoring.ts';

/**
 * Decides who passed, and with which grade: the one rule, computed from what is stored of an attempt.
 * Percentages are rounded to two decimals, half up, and compared as they are shown. An attempt with the
 * verdict "breach" fails, and so does a dismissed one unless its verdict is "no concern", whatever its
 * points; its grade is the lowest, as it is where the points of a section are too few.
 */

/** The pass mark and grades of an assessment; attempts have no outcome if it has none. */
export interface ResultRules {
  passMark: PassMark | null;
  /** Marks that sections need besides the pass mark, in percent of their points. */
  sectionMarks: SectionMark[];
  /** Grades from the best to the lowest, which begins at 0; empty: no grades. */
  grades: GradeBand[];
}

type SectionMark = NamedSection & { percent: number };

/** A mark for the whole paper: percent with at most two decimals, or points. */
export type PassMark = { percent: number } | { points: number };

export interface GradeBand {
  name: string;
  /** percent */
  from: number;
}

/** The stored result of an attempt; points in ten-thousandths, null where only `score` counts. */
export interface StoredResult {
  status: AttemptStatus;
  verdict: Verdict | null;
  score: number | null;
  totalMarks: number;
  points: number | null;
  maxPoints: number | null;
  sections: readonly ScoredSection[] | null;
}

/** A section of a paper with its result, in ten-thousandths of a point; absent before the end. */
export type ScoredSection = PaperSection & { points?: number; maxPoints?: number };

export interface Outcome {
  /** With at most two decimals. */
  percent: number;
  /** null without a pass mark */
  result: 'passed' | 'failed' | null;
  /** null without grades */
  grade: string | null;
  /** Why it failed; absent where it did not. */
  because?: 'points' | 'section' | 'dismissed' | 'breach';
}

/** A result as its candidate was shown it. Points in ten-thousandths. */
export interface ReleasedResult {
  percent: number | null;
  score: number;
  totalMarks: number;
  points: number | null;
  maxPoints: number | null;
  sections: ScoredSection[];
  outcome: Outcome | null;
}

/** The course of a released result since its release; ISO moments. */
export interface ReleaseCourse {
  /** From then on it counts no more. */
  takenBackAt?: string;
  /** When its candidate first opened it, and first had right answers or explanations before them. */
  seenAt?: string;
  keySeenAt?: string;
}

/** The result of an attempt that has ended, as it is today. */
export function resultOf(attempt: StoredResult, rules: ResultRules | null): ReleasedResult {
  const { points, maxPoints } = pointsIn(attempt);
  return {
    percent: maxPoints === 0 ? null : percentOf(points, maxPoints),
    score: attempt.score ?? 0,
    totalMarks: attempt.totalMarks,
    points: attempt.points,
    maxPoints: attempt.maxPoints,
    sections: [...(attempt.sections ?? [])],
    outcome: outcomeOf(attempt, rules),
  };
}

/**
 * The outcome of an attempt; null before its end, without rules, and where there is nothing to have: with
 * every question left out.
 */
export function outcomeOf(attempt: StoredResult, rules: ResultRules | null): Outcome | null {
  const { points, maxPoints } = pointsIn(attempt);
  if (rules === null || attempt.status === 'in_progress' || maxPoints === 0) return null;
  const percent = percentOf(points, maxPoints);
  const because = whyFailed(attempt, rules, points, percent);
  const result = rules.passMark === null ? null : because === null ? 'passed' : 'failed';
  const band =
    because === null || because === 'points'
      ? rules.grades.find(({ from }) => percent >= from)
      : rules.grades.at(-1);
  return { percent, result, grade: band?.name ?? null, ...(because ? { because } : {}) };
}

function whyFailed(
  { status, verdict, sections }: StoredResult,
  { passMark, sectionMarks }: ResultRules,
  points: number,
  percent: number,
): Outcome['because'] | null {
  if (verdict === 'breach') return 'breach';
  if (status === 'dismissed' && verdict !== 'no_concern') return 'dismissed';
  if (passMark === null) return null;
  const isEnough =
    'percent' in passMark ? percent >= passMark.percent : points >= partsOf(passMark.points);
  if (!isEnough) return 'points';
  const isMissed = (sections ?? []).some((section) => {
    const mark = markOf(sectionMarks, sectionIdOf(section));
    const { points: got = 0, maxPoints: most = 0 } = section;
    return mark !== undefined && most > 0 && percentOf(got, most) < mark.percent;
  });
  return isMissed ? 'section' : null;
}

const markOf = (marks: readonly SectionMark[] = [], id: string) =>
  marks.find((mark) => sectionIdOf(mark) === id);

export interface ResultFigures {
  ended: number;
  passed: number;
  failed: number;
  /** null without an attempt that has points */
  meanPercent: number | null;
  /** Attempts in twentieths of 100 percent; 100 is in the last. */
  distribution: number[];
  grades: { name: string; attempts: number }[];
  /**
   * Sections in the order of the papers, by the title on the paper that ended last; `below`: attempts under the
   * mark of the section.
   */
  sections: {
    id: string;
    title: string;
    attempts: number;
    meanPercent: number;
    below: number | null;
  }[];
}

/**
 * How many passed, and how ended attempts are distributed. Those with every question left out have no percentage.
 *
 * @param attempts the one that ended last at the end
 * @param outcomes of the attempts by these rules, where they are known already
 */
export function figuresOf(
  attempts: readonly StoredResult[],
  rules: ResultRules | null,
  outcomes = attempts.map((attempt) => outcomeOf(attempt, rules)),
): ResultFigures {
  const ended = attempts.filter(({ status }) => status !== 'in_progress');
  const percents = ended.map(pointsIn).flatMap(({ points, maxPoints }) => {
    return maxPoints === 0 ? [] : percentOf(points, maxPoints);
  });
  const count = (is: (outcome: Outcome) => boolean) =>
    outcomes.filter((outcome) => outcome !== null && is(outcome)).length;
  const distribution = Array.from({ length: 20 }, () => 0);
  for (const percent of percents) {
    const bin = Math.min(19, Math.floor(percent / 5));
    distribution[bin] = (distribution[bin] ?? 0) + 1;
  }
  const sections = Map.groupBy(
    ended.flatMap(({ sections }) => sections ?? []),
    sectionIdOf,
  );
  return {
    ended: ended.length,
    passed: count(({ result }) => result === 'passed'),
    failed: count(({ result }) => result === 'failed'),
    meanPercent: percents.length === 0 ? null : meanOf(percents),
    distribution,
    grades: (rules?.grades ?? []).map(({ name }) => ({
      name,
      attempts: count(({ grade }) => grade === name),
    })),
    sections: [...sections].flatMap(([id, scored]) => {
      const of = scored.flatMap(({ points = 0, maxPoints = 0 }) =>
        maxPoints === 0 ? [] : percentOf(points, maxPoints),
      );
      const mark = markOf(rules?.sectionMarks, id)?.percent;
      const title = scored.at(-1)?.title ?? id;
      const below = mark === undefined ? null : of.filter((percent) => percent < mark).length;
      return of.length === 0
        ? []
        : [{ id, title, attempts: of.length, meanPercent: meanOf(of), below }];
    }),
  };
}

const meanOf = (percents: readonly number[]): number =>
  Math.round((percents.reduce((sum, one) => sum + one, 0) / percents.length) * 100) / 100;

/** The points of an attempt in ten-thousandths; a question without points counts one. */
export function pointsIn({
  score,
  totalMarks,
  points,
  maxPoints,
}: Pick<StoredResult, 'score' | 'totalMarks' | 'points' | 'maxPoints'>) {
  return points === null || maxPoints === null
    ? { points: (score ?? 0) * POINT_PARTS, maxPoints: totalMarks * POINT_PARTS }
    : { points, maxPoints };
}

/** Rounded to two decimals, half up. Whole numbers below 2^53 all the way. */
export const percentOf = (points: number, maxPoints: number): number =>
  Math.floor((points * 20_000 + maxPoints) / (2 * maxPoints)) / 100;

export const partsOf = (points: number): number => Math.round(points * POINT_PARTS);

/** Ready bands to begin with; every examining body has its own. */
export const GRADE_SCALES: Readonly<
  Record<'one_to_five' | 'a_to_f' | 'tens', { name: () => string; grades: () => GradeBand[] }>
> = {
  one_to_five: {
    name: () => t(/* a scale of grades */ 'grades.oneToFive', '1 to 5'),
    grades: () => bands(['1', 90], ['2', 80], ['3', 65], ['4', 50], ['5', 0]),
  },
  a_to_f: {
    name: () => t(/* a scale of grades */ 'grades.aToF', 'A to F'),
    grades: () => bands(['A', 90], ['B', 80], ['C', 70], ['D', 60], ['F', 0]),
  },
  tens: {
    name: () =>
      t(/* a scale of grades: 90 to 100 %, 80 to 90 %, … */ 'grades.tens', 'Tens of percent'),
    grades: () =>
      Array.from({ length: 10 }, (_, i) => {
        const from = 90 - 10 * i;
        const name = t(/* a grade */ 'grades.ten', '{from} to {below} %', {
          from,
          below: from + 10,
        });
        return { name, from };
      }),
  },
};

function bands(...rows: [name: string, from: number][]): GradeBand[] {
  return rows.map(([name, from]) => ({ name, from }));
}
