/**
 * Statistics of an assessment and of its questions (docs/statistics.md has every formula with its source).
 * They are computed from whole papers and never from a sample, do not depend on the order of people or
 * questions, and are `null` where they do not exist: a correlation without variance, a reliability where
 * papers differ.
 */

/** A paper that was taken. Its lists have an entry per question, in the order of the paper. */
export interface TakenPaper {
  /** Places in the list of questions. */
  questions: readonly number[];
  /** Points earned; in any unit, the same as `maxPoints`. */
  points: readonly number[];
  /** 0: the question was left out, and nothing is computed of it. */
  maxPoints: readonly number[];
  /** Selected options as bits, the first option 1; a typed answer 1; 0: blank. */
  selected: readonly number[];
  /** Seconds that the question was in view; absent: not measured. */
  seconds?: readonly (number | null)[] | undefined;
  /** What a comparison of groups goes by. */
  group?: string | undefined;
}

/** What must be known of a question beside the papers. */
export interface AskedQuestion {
  /** How many options it has; 0 for typed answers. */
  options: number;
  /** The right ones as bits. */
  key: number;
  /** One option is selected at most. */
  isSingle: boolean;
}

export interface OptionStatistics {
  isKey: boolean;
  /** Of those who had the question, 0 to 1. */
  share: number;
  chosen: number;
  /** With the rest of the paper. */
  correlation: number | null;
  /** Shares in fifths of those who had the question, from the lowest total to the highest. */
  byAbility: number[];
}

export type Suspicion = 'key' | 'easy' | 'hard' | 'flat';

export interface QuestionStatistics {
  /** Who had it. */
  n: number;
  /** Mean share of the points, 0 to 1. */
  facility: number | null;
  /** Of its points, with n − 1. */
  sd: number | null;
  /** Corrected: with the paper without it. */
  itemRest: number | null;
  /** Facility in the highest 27 percent less that in the lowest. */
  discrimination: number | null;
  /** Its share in the variance of the totals, 0 to 1; null where papers differ. */
  effectiveWeight: number | null;
  /** Blank, with an answer to a later question; and blank without one. */
  omitted: number;
  notReached: number;
  medianSeconds: number | null;
  options: OptionStatistics[];
  /** Facility by fifths. */
  byAbility: (number | null)[];
  /** What to look at first. */
  suspicions: Suspicion[];
}

/** Why there is no reliability. */
export type NoReliability = 'few' | 'papers' | 'questions' | 'variance';

export interface TestStatistics {
  n: number;
  /** Of the percentages of the points. */
  mean: number | null;
  median: number | null;
  /** With n − 1. */
  sd: number | null;
  /** The adjusted Fisher-Pearson coefficients G1 and G2; the normal distribution has 0. */
  skewness: number | null;
  kurtosis: number | null;
  reliability:
    | {
        /** KR-20 where every question is right or wrong, with the same points. */
        kind: 'kr20' | 'alpha';
        alpha: number;
        /** In percent of the points. */
        sem: number;
        /** By place in the list of questions; null for those that no one had. */
        without: (number | null)[];
      }
    | { none: NoReliability };
}

/** What the statistics need of numbers of people. */
export const STATISTICS_LIMITS = {
  /** Fewer are too few for any figure of a question. */
  few: 10,
  /** Under it, figures can change much with the next people. */
  some: 30,
  /** Of each group that is compared. */
  groupMin: 50,
} as const;

/** Marks what to look at first; each is a hint to a person, who decides. */
const SUSPECT = { easy: 0.95, hard: 0.2, flat: 0.1, rivalShare: 0.05 } as const;

const UPPER_LOWER = 0.27;
const FIFTHS = 5;

export interface Statistics {
  test: TestStatistics;
  /** In the order of the list of questions. */
  questions: QuestionStatistics[];
}

/**
 * @param papers of those who took the assessment
 * @param asked every question on them, by its place
 */
export function statisticsOf(
  papers: readonly TakenPaper[],
  asked: readonly AskedQuestion[],
): Statistics {
  const people = papers.flatMap((paper) => {
    const max = sum(paper.maxPoints);
    return max === 0 ? [] : [{ paper, total: sum(paper.points), max }];
  });
  // By the share of the points, so that papers with different questions compare.
  const ranked = people.toSorted((a, b) => a.total / a.max - b.total / b.max);
  const held = holdersOf(ranked, asked.length);
  const isFixed = haveSameQuestions(people.map(({ paper }) => paper));
  const totals = people.map(({ total }) => total);
  const variance = varianceOf(totals);
  return {
    test: {
      ...momentsOf(people.map(({ total, max }) => (100 * total) / max)),
      reliability: reliabilityOf(held, people, isFixed),
    },
    questions: held.map((holders, i) =>
      questionOf(holders, asked[i] ?? NONE_ASKED, isFixed && variance ? variance : null),
    ),
  };
}

const NONE_ASKED: AskedQuestion = { options: 0, key: 0, isSingle: true };

interface Person {
  paper: TakenPaper;
  total: number;
  max: number;
}

/** Those who had a question, from the lowest total to the highest. */
interface Holders {
  points: number[];
  maxPoints: number[];
  /** Share of the points of the paper, and of it without this question (null: it has no other). */
  ability: number[];
  rest: (number | null)[];
  total: number[];
  selected: number[];
  seconds: number[];
  omitted: number;
  notReached: number;
}

function holdersOf(ranked: readonly Person[], questions: number): Holders[] {
  const held = Array.from(
    { length: questions },
    (): Holders => ({
      ...{ points: [], maxPoints: [], ability: [], rest: [], total: [], selected: [] },
      ...{ seconds: [], omitted: 0, notReached: 0 },
    }),
  );
  for (const { paper, total, max } of ranked) {
    const last = paper.selected.findLastIndex((selected) => selected !== 0);
    for (const [at, question] of paper.questions.entries()) {
      const holders = held[question];
      const [points = 0, maxPoints = 0] = [paper.points[at], paper.maxPoints[at]];
      if (holders === undefined || maxPoints === 0) continue;
      const selected = paper.selected[at] ?? 0;
      holders.points.push(points);
      holders.maxPoints.push(maxPoints);
      holders.ability.push(total / max);
      holders.rest.push(max === maxPoints ? null : (total - points) / (max - maxPoints));
      holders.total.push(total);
      holders.selected.push(selected);
      if (selected === 0) holders[at > last ? 'notReached' : 'omitted'] += 1;
      const seconds = paper.seconds?.[at] ?? null;
      if (seconds !== null) holders.seconds.push(seconds);
    }
  }
  return held;
}

/** @param variance of the totals, where all papers have the same questions */
function questionOf(
  holders: Holders,
  { options, key, isSingle }: AskedQuestion,
  variance: number | null,
): QuestionStatistics {
  const { points, maxPoints, ability, rest, total, selected } = holders;
  const n = points.length;
  const shares = points.map((one, i) => one / (maxPoints[i] ?? 1));
  const groups = new AbilityGroups(ability);
  const [low, high] = [groups.between(0, UPPER_LOWER), groups.between(1 - UPPER_LOWER, 1)];
  const highMean = weightedMean(shares, high);
  const lowMean = weightedMean(shares, low);
  const fifths = Array.from({ length: FIFTHS }, (_, i) =>
    groups.between(i / FIFTHS, (i + 1) / FIFTHS),
  );
  const of = Array.from({ length: options }, (_, option): OptionStatistics => {
    const bit = 1 << option;
    const chose = selected.map((one) => ((one & bit) === 0 ? 0 : 1));
    const chosen = sum(chose);
    return {
      isKey: (key & bit) !== 0,
      share: n === 0 ? 0 : chosen / n,
      chosen,
      correlation: correlationOf(chose, rest),
      byAbility: fifths.map((weights) => weightedMean(chose, weights) ?? 0),
    };
  });
  const facility = n === 0 ? null : sum(shares) / n;
  const itemRest = correlationOf(shares, rest);
  const covariance = variance === null ? null : covarianceOf(points, total);
  return {
    n,
    facility,
    sd: root(varianceOf(points)),
    itemRest,
    discrimination: highMean === null || lowMean === null || n < 2 ? null : highMean - lowMean,
    effectiveWeight: variance === null || covariance === null ? null : covariance / variance,
    omitted: holders.omitted,
    notReached: holders.notReached,
    medianSeconds: medianOf(holders.seconds),
    options: of,
    byAbility: fifths.map((weights) => weightedMean(shares, weights)),
    suspicions: suspicionsOf({ n, facility, itemRest, options: of }, isSingle),
  };
}

function suspicionsOf(
  {
    n,
    facility,
    itemRest,
    options,
  }: Pick<QuestionStatistics, 'n' | 'facility' | 'itemRest' | 'options'>,
  isSingle: boolean,
): Suspicion[] {
  if (facility === null || n < STATISTICS_LIMITS.few) return [];
  const found: Suspicion[] = [];
  const isEnough = n >= STATISTICS_LIMITS.some;
  const keys = options.filter(({ isKey }) => isKey);
  const best = Math.max(...keys.map(({ correlation }) => correlation ?? 0));
  const hasRival = options.some(
    ({ isKey, share, correlation }) =>
      !isKey &&
      share >= SUSPECT.rivalShare &&
      correlation !== null &&
      correlation > Math.max(best, SUSPECT.flat),
  );
  if (isEnough && isSingle && keys.length > 0 && hasRival) found.push('key');
  if (facility >= SUSPECT.easy) found.push('easy');
  if (facility <= SUSPECT.hard) found.push('hard');
  const isExtreme = facility >= SUSPECT.easy || facility <= 0;
  if (isEnough && !isExtreme && itemRest !== null && itemRest < SUSPECT.flat) found.push('flat');
  return found;
}

/**
 * Parts of a ranked list by share, where people with the same total are the same: those at a bound belong
 * to both sides by a part each. So no order of theirs matters.
 */
class AbilityGroups {
  /** Of each run of equal abilities: its first place, and the one behind it. */
  readonly #runs: [from: number, to: number][] = [];
  readonly #n: number;

  constructor(ability: readonly number[]) {
    this.#n = ability.length;
    for (let from = 0; from < ability.length; ) {
      let to = from + 1;
      while (to < ability.length && ability[to] === ability[from]) to += 1;
      this.#runs.push([from, to]);
      from = to;
    }
  }

  /** The weight of each place within two shares of the list. */
  between(from: number, to: number): Float64Array {
    const [first, last] = [from * this.#n, to * this.#n];
    const weights = new Float64Array(this.#n);
    for (const [start, end] of this.#runs) {
      const within = Math.min(end, last) - Math.max(start, first);
      if (within > 0) weights.fill(within / (end - start), start, end);
    }
    return weights;
  }
}

function reliabilityOf(
  held: readonly Holders[],
  people: readonly Person[],
  isFixed: boolean,
): TestStatistics['reliability'] {
  const items = held.map(({ points }) => points);
  const had = items.filter((points) => points.length > 0);
  if (people.length < 2) return { none: 'few' };
  if (!isFixed) return { none: 'papers' };
  if (had.length < 2) return { none: 'questions' };
  // In the order of the ranks, as the points of each question are.
  const totals = held.find(({ points }) => points.length > 0)?.total ?? [];
  const variance = varianceOf(totals);
  if (!variance) return { none: 'variance' };
  const variances = items.map((points) => varianceOf(points) ?? 0);
  const all = sum(variances);
  const alphaOf = (k: number, ofItems: number, ofTotal: number) =>
    ofTotal === 0 ? null : (k / (k - 1)) * (1 - ofItems / ofTotal);
  const alpha = alphaOf(had.length, all, variance) ?? 0;
  const isRightOrWrong = held.every(({ points, maxPoints }) =>
    points.every((one, i) => one === 0 || one === maxPoints[i]),
  );
  const most = new Set(held.flatMap(({ maxPoints }) => maxPoints.slice(0, 1)));
  const percents = people.map(({ total, max }) => (100 * total) / max);
  return {
    kind: isRightOrWrong && most.size === 1 ? 'kr20' : 'alpha',
    alpha,
    sem: (root(varianceOf(percents)) ?? 0) * Math.sqrt(Math.max(0, 1 - alpha)),
    without: items.map((points, i) => {
      if (points.length === 0 || had.length < 3) return null;
      const rest = varianceOf(totals.map((total, at) => total - (points[at] ?? 0)));
      return alphaOf(had.length - 1, all - (variances[i] ?? 0), rest ?? 0);
    }),
  };
}

/** Whether all papers have the same questions, in whatever order, worth the same. */
function haveSameQuestions(papers: readonly TakenPaper[]): boolean {
  const worth = ({ questions, maxPoints }: TakenPaper) =>
    new Map(questions.flatMap((question, i) => (maxPoints[i] ? [[question, maxPoints[i]]] : [])));
  const [first, ...others] = papers;
  if (first === undefined) return true;
  const all = worth(first);
  return others.every((paper) => {
    let same = 0;
    for (const [i, question] of paper.questions.entries()) {
      const most = paper.maxPoints[i] ?? 0;
      if (most === 0) continue;
      if (all.get(question) !== most) return false;
      same += 1;
    }
    return same === all.size;
  });
}

/** Mean, median, and the shape of a distribution. */
export function momentsOf(values: readonly number[]): Omit<TestStatistics, 'reliability'> {
  const n = values.length;
  const mean = n === 0 ? null : sum(values) / n;
  const sd = root(varianceOf(values));
  const standard = mean === null || !sd ? [] : values.map((value) => (value - mean) / sd);
  const power = (p: number) => sum(standard.map((value) => value ** p));
  const hasShape = standard.length > 0;
  return {
    n,
    mean,
    median: medianOf(values),
    sd,
    skewness: hasShape && n > 2 ? (n / ((n - 1) * (n - 2))) * power(3) : null,
    kurtosis:
      hasShape && n > 3
        ? ((n * (n + 1)) / ((n - 1) * (n - 2) * (n - 3))) * power(4) -
          (3 * (n - 1) ** 2) / ((n - 2) * (n - 3))
        : null,
  };
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** With n − 1; null for fewer than two. What can only be the error of the arithmetic is 0. */
export function varianceOf(values: readonly number[]): number | null {
  const variance = covarianceOf(values, values);
  const size = sum(values.map((value) => value * value));
  return variance !== null && variance <= size * 1e-28 ? 0 : variance;
}

function covarianceOf(xs: readonly number[], ys: readonly number[]): number | null {
  const n = xs.length;
  if (n < 2) return null;
  const [x, y] = [sum(xs) / n, sum(ys) / n];
  let total = 0;
  for (let i = 0; i < n; i += 1) total += ((xs[i] ?? 0) - x) * ((ys[i] ?? 0) - y);
  return total / (n - 1);
}

/** Pearson's; null without variance. Pairs without the second value do not count. */
export function correlationOf(
  xs: readonly number[],
  ys: readonly (number | null)[],
): number | null {
  const both = ys.flatMap((y, i) => (y === null ? [] : [[xs[i] ?? 0, y] as const]));
  const [x, y] = [both.map(([one]) => one), both.map(([, one]) => one)];
  const [ofX, ofY, together] = [varianceOf(x), varianceOf(y), covarianceOf(x, y)];
  if (!ofX || !ofY || together === null) return null;
  return Math.max(-1, Math.min(1, together / Math.sqrt(ofX * ofY)));
}

const root = (value: number | null): number | null => (value === null ? null : Math.sqrt(value));

export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length === 0) return null;
  const upper = sorted[Math.floor(middle)] ?? 0;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? 0) + upper) / 2 : upper;
}

/** null where no one has a weight */
function weightedMean(values: readonly number[], weights: Float64Array): number | null {
  let [total, all] = [0, 0];
  for (const [i, weight] of weights.entries()) {
    total += weight * (values[i] ?? 0);
    all += weight;
  }
  return all === 0 ? null : total / all;
}

/** How a question treats two groups of people with equal totals. */
export interface GroupComparison {
  /** Common odds ratio of Mantel and Haenszel; over 1: easier for the first group. */
  odds: number;
  /** −2.35 ln odds, the delta scale. */
  delta: number;
  /** With continuity correction, one degree of freedom. */
  chiSquare: number;
  /** Classes of the Educational Testing Service. */
  class: 'A' | 'B' | 'C';
}

/** Of the chi-square distribution with one degree of freedom, and of the normal one, at 5 percent. */
const CHI_5 = 3.841458820694124;
const Z_ONE_SIDED_5 = 1.6448536269514722;

/**
 * Differential item functioning by Mantel and Haenszel: for each question, whether people of two groups with
 * the same total have the same chance of full points. Papers with different questions, or with parts of
 * points, are compared by tenths of their percentages.
 *
 * @returns by question; `null` where there are too few, or nothing to compare
 */
export function compareGroups(
  papers: readonly TakenPaper[],
  questions: number,
  [first, second]: readonly [string, string],
): (GroupComparison | null)[] {
  const taken = papers.filter(({ group }) => group === first || group === second);
  const size = (group: string) => taken.filter((paper) => paper.group === group).length;
  const isEnough = Math.min(size(first), size(second)) >= STATISTICS_LIMITS.groupMin;
  if (!isEnough) return Array.from({ length: questions }, () => null);
  const isExact =
    haveSameQuestions(taken) &&
    taken.every(({ points, maxPoints }) =>
      points.every((one, i) => one === 0 || one === maxPoints[i]),
    );
  /** By question and total: of the first group right and wrong, of the second right and wrong. */
  const tables = Array.from({ length: questions }, () => new Map<number, number[]>());
  for (const { questions: asked, points, maxPoints, group } of taken) {
    const [total, max] = [sum(points), sum(maxPoints)];
    if (max === 0) continue;
    const stratum = isExact ? total : Math.min(9, Math.floor((10 * total) / max));
    for (const [at, question] of asked.entries()) {
      if (!maxPoints[at]) continue;
      const ofQuestion = tables[question];
      const cells = ofQuestion?.get(stratum) ?? [0, 0, 0, 0];
      const cell = (group === first ? 0 : 2) + (points[at] === maxPoints[at] ? 0 : 1);
      cells[cell] = (cells[cell] ?? 0) + 1;
      ofQuestion?.set(stratum, cells);
    }
  }
  return tables.map((strata) => mantelHaenszel([...strata.values()]));
}

/** @param strata two by two tables: first group right and wrong, second group right and wrong */
export function mantelHaenszel(strata: readonly (readonly number[])[]): GroupComparison | null {
  let [r, s, observed, expected, variance] = [0, 0, 0, 0, 0];
  let [pr, psqr, qs] = [0, 0, 0];
  for (const [a = 0, b = 0, c = 0, d = 0] of strata) {
    const t = a + b + c + d;
    if (t < 2) continue;
    const [rj, sj] = [(a * d) / t, (b * c) / t];
    const [pj, qj] = [(a + d) / t, (b + c) / t];
    r += rj;
    s += sj;
    pr += pj * rj;
    psqr += pj * sj + qj * rj;
    qs += qj * sj;
    observed += a;
    expected += ((a + b) * (a + c)) / t;
    variance += ((a + b) * (c + d) * (a + c) * (b + d)) / (t * t * (t - 1));
  }
  if (r === 0 || s === 0 || variance === 0) return null;
  const odds = r / s;
  const delta = -2.35 * Math.log(odds);
  const chiSquare = Math.max(0, Math.abs(observed - expected) - 0.5) ** 2 / variance;
  // Robins, Breslow and Greenland.
  const seOfLog = Math.sqrt(pr / (2 * r * r) + psqr / (2 * r * s) + qs / (2 * s * s));
  const size = Math.abs(delta);
  const isSignificant = chiSquare > CHI_5;
  const isOverOne = (size - 1) / (2.35 * seOfLog) > Z_ONE_SIDED_5;
  return {
    odds,
    delta,
    chiSquare,
    class: !isSignificant || size < 1 ? 'A' : size >= 1.5 && isOverOne ? 'C' : 'B',
  };
}
