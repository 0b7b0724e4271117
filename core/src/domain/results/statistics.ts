/**
 * Statistics of an assessment and of its questions (docs/statistics.md has every formula with its source).
 * They are computed from whole papers and never from a sample, do not depend on the order of people or
 * questions, and are `null` where they do not exist: a correlation without variance, a reliability where
 * papers differ.
 */

/** A paper that was taken. Its lists have an entry per question, in the order of the paper. */
export interface TakenPaper {
  /** Places in the list of questions. */
  questions: ArrayLike<number>;
  /** Points earned; in any unit, the same as `maxPoints`, and never rounded before they are added up. */
  points: ArrayLike<number>;
  /** 0: the question was left out, and nothing is computed of it. */
  maxPoints: ArrayLike<number>;
  /** Selected options as bits, the first option 1; a typed answer 1; 0: blank. */
  selected: ArrayLike<number>;
  /** Seconds in which the question was in view; absent and 0: not measured. */
  seconds?: ArrayLike<number> | undefined;
  /** The group of the person, for a comparison of groups. */
  group?: string | undefined;
}

/** Facts of a question that the papers do not have. */
export interface AskedQuestion {
  /** How many options it has; 0 for typed answers. */
  options: number;
  /** The right options as bits. */
  key: number;
  /** One option is selected at most. */
  isSingle: boolean;
}

export interface OptionStatistics {
  isKey: boolean;
  /** The share of the people who had the question, 0 to 1. */
  share: number;
  chosen: number;
  /** The correlation with the rest of the paper. */
  correlation: number | null;
  /** Shares in fifths of those who had the question, from the lowest total to the highest. */
  byAbility: number[];
}

export type Suspicion = 'key' | 'easy' | 'hard' | 'flat';

export interface QuestionStatistics {
  /** How many people had the question. */
  n: number;
  /** Mean share of the points, 0 to 1. */
  facility: number | null;
  /** The standard deviation of the points, with n − 1. */
  sd: number | null;
  /** The corrected correlation: with the rest of the paper. */
  itemRest: number | null;
  /** Facility in the highest 27 percent less that in the lowest. */
  discrimination: number | null;
  /** The question's share in the variance of the totals, 0 to 1; null where papers differ. */
  effectiveWeight: number | null;
  /** Blank, with an answer to a later question; and blank without one. */
  omitted: number;
  notReached: number;
  /** The median time in view, of the people of whom it was measured. */
  medianSeconds: number | null;
  options: OptionStatistics[];
  /** Facility by fifths. */
  byAbility: (number | null)[];
  /** Reasons to look at this question first. */
  suspicions: Suspicion[];
}

/** Why there is no reliability. */
export type NoReliability = 'few' | 'papers' | 'questions' | 'variance';

export interface TestStatistics {
  n: number;
  /** Mean, median and so on are of the percentages of the points. */
  mean: number | null;
  median: number | null;
  /** The standard deviation, with n − 1. */
  sd: number | null;
  /** The adjusted Fisher-Pearson coefficients G1 and G2; the normal distribution has 0. */
  skewness: number | null;
  kurtosis: number | null;
  reliability:
    | {
        /**
         * How many questions it is of, where papers have others beside those that everyone had; absent where all
         * have the same.
         */
        common?: number;
        /** KR-20 where every question is right or wrong, with the same points. */
        kind: 'kr20' | 'alpha';
        alpha: number;
        /** The standard error of measurement, in percent of the points of these questions. */
        sem: number;
        /** Alpha without each question, by its place in the list; null for those that not everyone had. */
        without: (number | null)[];
      }
    | { none: NoReliability };
}

/** The numbers of people that the statistics need. */
export const STATISTICS_LIMITS = {
  /** Fewer are too few for any figure of a question. */
  few: 10,
  /** Figures of fewer people can change much with the next ones. */
  some: 30,
  /** The minimum of each group that is compared. */
  groupMin: 50,
} as const;

/** Marks what to look at first; each is a hint to a person, who decides. */
const SUSPECT = {
  ...{ easy: 0.95, hard: 0.2, flat: 0.1, rivalShare: 0.05, rivalPeople: 5 },
  /** A question that separates people correlates by this or more. */
  separates: 0.3,
} as const;

/**
 * The evidence that a mark needs, in standard errors: one-sided, 10 and 5 percent. Missing a wrong key costs people
 * points, and a false mark one look; docs/statistics.md has how often each happens.
 */
const EVIDENCE = { key: 1.2816, flat: 1.645 } as const;

const UPPER_LOWER = 0.27;
const FIFTHS = 5;

export interface Statistics {
  test: TestStatistics;
  /** Questions in the order of their list. */
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
  const taken = papers.filter(({ maxPoints }) => sum(maxPoints) > 0);
  const common = commonOf(taken);
  const isFixed = haveOnly(taken, common);
  const people = taken.map((paper): Person => {
    const [total, max] = [sum(paper.points), sum(paper.maxPoints)];
    return { paper, total, max, common: isFixed ? total : totalIn(paper, common) };
  });
  // People are ranked by the share of the points, so that papers with different questions compare.
  const ranked = people.toSorted((a, b) => shareIn(a.total, a.max) - shareIn(b.total, b.max));
  const held = holdersOf(ranked, asked.length);
  const totals = varianceOf(ranked.map((person) => person.common));
  const computed = held.map((holders, i) =>
    questionOf(holders, ranked, asked[i] ?? NONE_ASKED, isFixed ? totals : null),
  );
  return {
    test: {
      // Totals are those of the results: negative marks take none below 0.
      ...momentsOf(people.map(({ total, max }) => (100 * Math.max(0, total)) / max)),
      reliability: reliabilityOf(computed, people, { common, isFixed, totals }),
    },
    questions: computed.map(({ question }) => question),
  };
}

/**
 * A share of points by which people are compared, to a thousandth of a percent: three times 33.33333 percent,
 * as other systems export thirds, are the full points.
 */
const shareIn = (points: number, most: number): number => Math.round((points / most) * 1e5) / 1e5;

const isFull = (points: number, most: number): boolean => shareIn(points, most) === 1;

const NONE_ASKED: AskedQuestion = { options: 0, key: 0, isSingle: true };

interface Person {
  paper: TakenPaper;
  total: number;
  max: number;
  /** The points of the questions that everyone had. */
  common: number;
}

const NO_ONE = { total: 0, max: 0, common: 0 };

/**
 * The people who had a question, from the lowest total to the highest. Typed arrays: there can be a million.
 */
interface Holders {
  /** Places in the list of people. */
  people: Int32Array;
  points: Float64Array;
  maxPoints: Float64Array;
  selected: Int32Array;
  /** 0: not measured. */
  seconds: Int32Array;
  omitted: number;
  notReached: number;
}

function holdersOf(ranked: readonly Person[], questions: number): Holders[] {
  const counts = new Int32Array(questions);
  // No callbacks here: there are millions of entries.
  for (const { paper } of ranked) {
    for (let at = 0; at < paper.questions.length; at += 1) {
      const question = paper.questions[at] ?? 0;
      if (paper.maxPoints[at]) counts[question] = (counts[question] ?? 0) + 1;
    }
  }
  const held = Array.from(counts, (n): Holders => {
    const [people, selected, seconds] = [new Int32Array(n), new Int32Array(n), new Int32Array(n)];
    const [points, maxPoints] = [new Float64Array(n), new Float64Array(n)];
    return { people, points, maxPoints, selected, seconds, omitted: 0, notReached: 0 };
  });
  counts.fill(0);
  for (const [person, { paper }] of ranked.entries()) {
    const last = lastAnswered(paper);
    for (let at = 0; at < paper.questions.length; at += 1) {
      const question = paper.questions[at] ?? 0;
      const holders = held[question];
      if (!holders || !paper.maxPoints[at]) continue;
      const place = counts[question] ?? 0;
      counts[question] = place + 1;
      holders.people[place] = person;
      holders.points[place] = paper.points[at] ?? 0;
      holders.maxPoints[place] = paper.maxPoints[at] ?? 0;
      holders.selected[place] = paper.selected[at] ?? 0;
      holders.seconds[place] = paper.seconds?.[at] ?? 0;
      if (paper.selected[at] === 0) holders[at > last ? 'notReached' : 'omitted'] += 1;
    }
  }
  return held;
}

function lastAnswered({ selected }: TakenPaper): number {
  let last = selected.length - 1;
  while (last >= 0 && selected[last] === 0) last -= 1;
  return last;
}

/** A question, and what the reliability needs of it. */
interface ComputedQuestion {
  question: QuestionStatistics;
  variance: number;
  /** The covariance with the totals of the questions that everyone had. */
  covariance: number;
  /** The most points, and whether everyone had all of them or none. */
  most: number;
  isRightOrWrong: boolean;
}

/**
 * The mean share of the points. Points are whole numbers: sums of those out of the same number are exact, and
 * the same in any order, so that a question at a limit is on one side of it.
 */
function meanShare(points: Float64Array, maxPoints: Float64Array): number {
  const n = points.length;
  const earned = new Map<number, number>();
  let [most, own] = [maxPoints[0] ?? 0, 0];
  for (let i = 0; i < n; i += 1) {
    // Papers rarely differ in it, and a look into the map takes long.
    if (maxPoints[i] !== most) {
      earned.set(most, own);
      most = maxPoints[i] ?? 0;
      own = earned.get(most) ?? 0;
    }
    own += points[i] ?? 0;
  }
  earned.set(most, own);
  const ordered = [...earned].sort(([a], [b]) => a - b);
  return sum(ordered.map(([of, sumOf]) => sumOf / (of * n)));
}

/** @param totals the variance of the totals, where all papers have the same questions */
function questionOf(
  holders: Holders,
  ranked: readonly Person[],
  { options, key, isSingle }: AskedQuestion,
  totals: number | null,
): ComputedQuestion {
  const { points, maxPoints, selected } = holders;
  const n = points.length;
  const [shares, inCommon] = [new Float64Array(n), new Float64Array(n)];
  // Share of the points of the paper, and of it without this question (not a number: it has no other).
  const [ability, rest] = [new Float64Array(n), new Float64Array(n)];
  for (let i = 0; i < n; i += 1) {
    const { total: all, max, common } = ranked[holders.people[i] ?? 0] ?? NO_ONE;
    const [own, most] = [points[i] ?? 0, maxPoints[i] ?? 0];
    shares[i] = own / most;
    inCommon[i] = common;
    ability[i] = shareIn(all, max);
    rest[i] = (all - own) / (max - most);
  }
  const facility = n === 0 ? null : meanShare(points, maxPoints);
  const itemRest = correlationOf(shares, rest);
  const correlations = correlationsOfOptions(selected, rest, options);
  const { low, high, fifths, chosen } = byAbility(ability, shares, selected, options);
  const of = Array.from({ length: options }, (_, option): OptionStatistics => {
    const all = sum(chosen.map((counts) => counts[option] ?? 0));
    return {
      isKey: (key & (1 << option)) !== 0,
      share: n === 0 ? 0 : all / n,
      // Parts of people who are in two fifths add up again.
      chosen: Math.round(all),
      correlation: correlations[option] ?? null,
      byAbility: fifths.map(({ people }, i) =>
        people === 0 ? 0 : (chosen[i]?.[option] ?? 0) / people,
      ),
    };
  });
  const variance = varianceOf(points);
  const covariance = covarianceOf(points, inCommon) ?? 0;
  const question: QuestionStatistics = {
    n,
    facility,
    sd: root(variance),
    itemRest,
    discrimination: n < 2 ? null : high.sum / high.people - low.sum / low.people,
    effectiveWeight: n === 0 || !totals ? null : covariance / totals,
    omitted: holders.omitted,
    notReached: holders.notReached,
    medianSeconds: medianOf(holders.seconds.filter((seconds) => seconds > 0)),
    options: of,
    byAbility: fifths.map((fifth) => (fifth.people === 0 ? null : fifth.sum / fifth.people)),
    suspicions: suspicionsOf(
      { n, facility, itemRest, options: of },
      isSingle ? (option) => correlationOf(insteadOfKey(selected, option, key), rest) : null,
    ),
  };
  return {
    ...{ question, covariance, variance: variance ?? 0, most: maxPoints[0] ?? 0 },
    isRightOrWrong: points.every((one, i) => one === 0 || isFull(one, maxPoints[i] ?? 0)),
  };
}

/** A part of the people, and the sum of their shares of the points. */
interface Part {
  people: number;
  sum: number;
}

/**
 * The lowest and highest 27 percent, and the fifths with how many selected each option. People with the same
 * total are the same: those at a bound belong to both sides by a part each, so no order of theirs matters.
 */
function byAbility(
  ability: Float64Array,
  shares: Float64Array,
  selected: Int32Array,
  options: number,
) {
  const n = ability.length;
  const part = (from: number, to: number) => ({ from: from * n, to: to * n, people: 0, sum: 0 });
  const [low, high] = [part(0, UPPER_LOWER), part(1 - UPPER_LOWER, 1)];
  const fifths = Array.from({ length: FIFTHS }, (_, i) => part(i / FIFTHS, (i + 1) / FIFTHS));
  const chosen = fifths.map(() => new Float64Array(options));
  const counts = new Float64Array(options);
  for (let from = 0, to = 0; from < n; from = to) {
    counts.fill(0);
    let total = 0;
    for (to = from; to < n && ability[to] === ability[from]; to += 1) {
      total += shares[to] ?? 0;
      const bits = selected[to] ?? 0;
      for (let option = 0; option < options; option += 1) {
        if ((bits & (1 << option)) !== 0) counts[option] = (counts[option] ?? 0) + 1;
      }
    }
    for (const one of [low, high, ...fifths]) {
      const people = Math.min(to, one.to) - Math.max(from, one.from);
      if (people <= 0) continue;
      const weight = people / (to - from);
      one.people += people;
      one.sum += weight * total;
      const of = chosen[fifths.indexOf(one)];
      for (let option = 0; of && option < options; option += 1) {
        of[option] = (of[option] ?? 0) + weight * (counts[option] ?? 0);
      }
    }
  }
  return { low: low as Part, high: high as Part, fifths: fifths as Part[], chosen };
}

/** Pearson's of "selected" (0 or 1) and the rest of the paper, by option. */
function correlationsOfOptions(
  selected: Int32Array,
  rest: Float64Array,
  options: number,
): (number | null)[] {
  const having = rest.filter((one) => !Number.isNaN(one));
  const n = having.length;
  const mean = sum(having) / n;
  const ofRest = varianceOf(having);
  return Array.from({ length: options }, (_, option) => {
    let [chosen, together] = [0, 0];
    for (let i = 0; i < rest.length; i += 1) {
      const deviation = (rest[i] ?? 0) - mean;
      if (((selected[i] ?? 0) & (1 << option)) === 0 || Number.isNaN(deviation)) continue;
      chosen += 1;
      together += deviation;
    }
    // Both sums over (n − 1), which cancels out.
    const ofChosen = (chosen * (n - chosen)) / n;
    if (!ofRest || !ofChosen) return null;
    return within(together / Math.sqrt(ofChosen * ofRest * (n - 1)));
  });
}

/** By person: 1 where the option was selected, -1 where a right one was, else 0. */
const insteadOfKey = (selected: Int32Array, option: number, key: number): Float64Array =>
  Float64Array.from(
    selected,
    (bits) => Number((bits & (1 << option)) !== 0) - Number((bits & key) !== 0),
  );

/** How many standard errors of Fisher's z a correlation of n people is above another. */
const errorsAbove = (r: number, other: number, n: number): number =>
  (Math.atanh(r) - Math.atanh(other)) * Math.sqrt(n - 3);

/**
 * @param leadOf the correlation with the rest of selecting an option instead of a right one; null: several can be
 *   selected
 */
function suspicionsOf(
  {
    n,
    facility,
    itemRest,
    options,
  }: Pick<QuestionStatistics, 'n' | 'facility' | 'itemRest' | 'options'>,
  leadOf: ((option: number) => number | null) | null,
): Suspicion[] {
  if (facility === null || n < STATISTICS_LIMITS.few) return [];
  const found: Suspicion[] = [];
  const keys = options.filter(({ isKey }) => isKey);
  const best = Math.max(...keys.map(({ correlation }) => correlation ?? 0));
  const hasRival = options.some(
    ({ isKey, share, chosen, correlation }, option) =>
      !isKey &&
      share >= SUSPECT.rivalShare &&
      chosen >= SUSPECT.rivalPeople &&
      correlation !== null &&
      correlation > Math.max(best, SUSPECT.flat) &&
      errorsAbove(leadOf?.(option) ?? 0, 0, n) > EVIDENCE.key,
  );
  if (keys.length > 0 && hasRival) found.push('key');
  if (facility >= SUSPECT.easy) found.push('easy');
  if (facility <= SUSPECT.hard) found.push('hard');
  const isExtreme = facility >= SUSPECT.easy || facility <= 0;
  const isFlat =
    itemRest !== null &&
    itemRest < SUSPECT.flat &&
    errorsAbove(itemRest, SUSPECT.separates, n) < -EVIDENCE.flat;
  if (!isExtreme && isFlat) found.push('flat');
  return found;
}

/** The reliability of the questions that everyone had. */
function reliabilityOf(
  computed: readonly ComputedQuestion[],
  people: readonly Person[],
  {
    common,
    isFixed,
    totals,
  }: {
    common: ReadonlyMap<number, number>;
    isFixed: boolean;
    /** The variance of the totals of these questions. */
    totals: number | null;
  },
): TestStatistics['reliability'] {
  const of = computed.filter((_, place) => common.has(place));
  const k = of.length;
  if (people.length < 2) return { none: 'few' };
  if (k < 2) return { none: isFixed ? 'questions' : 'papers' };
  if (!totals) return { none: 'variance' };
  const all = sum(of.map(({ variance }) => variance));
  const alphaOf = (items: number, ofItems: number, ofTotal: number) =>
    (items / (items - 1)) * (1 - ofItems / ofTotal);
  const alpha = alphaOf(k, all, totals);
  const isSame = of.every(({ most, isRightOrWrong }) => isRightOrWrong && most === of[0]?.most);
  const max = sum([...common.values()]);
  const sd = root(varianceOf(people.map((person) => (100 * person.common) / max))) ?? 0;
  return {
    ...(isFixed ? {} : { common: k }),
    kind: isSame ? 'kr20' : 'alpha',
    alpha,
    sem: sd * Math.sqrt(Math.max(0, 1 - alpha)),
    without: computed.map(({ variance, covariance }, place) => {
      // The variance of the totals without the question.
      const rest = totals + variance - 2 * covariance;
      if (!common.has(place) || k < 3 || rest <= totals * 1e-12) return null;
      return alphaOf(k - 1, all - variance, rest);
    }),
  };
}

/** The questions that all papers have, in whatever order, worth the same; with what they are worth. */
function commonOf(papers: readonly TakenPaper[]): Map<number, number> {
  const worth = new Map<number, number>();
  const held = new Map<number, number>();
  for (const { questions, maxPoints } of papers) {
    for (let i = 0; i < questions.length; i += 1) {
      const [question, most] = [questions[i] ?? 0, maxPoints[i] ?? 0];
      if (most === 0) continue;
      if (!worth.has(question)) worth.set(question, most);
      if (worth.get(question) === most) held.set(question, (held.get(question) ?? 0) + 1);
    }
  }
  return new Map([...worth].filter(([question]) => held.get(question) === papers.length));
}

/** Whether papers have no questions beside those. */
const haveOnly = (papers: readonly TakenPaper[], common: ReadonlyMap<number, number>): boolean =>
  papers.every(({ maxPoints }) => {
    let asked = 0;
    for (let i = 0; i < maxPoints.length; i += 1) if (maxPoints[i]) asked += 1;
    return asked === common.size;
  });

function totalIn({ questions, points }: TakenPaper, common: ReadonlyMap<number, number>): number {
  let total = 0;
  for (let i = 0; i < questions.length; i += 1) {
    if (common.has(questions[i] ?? 0)) total += points[i] ?? 0;
  }
  return total;
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

function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < values.length; i += 1) total += values[i] ?? 0;
  return total;
}

/** The variance with n − 1; null for fewer than two. What can only be the error of the arithmetic is 0. */
export function varianceOf(values: ArrayLike<number>): number | null {
  const variance = covarianceOf(values, values);
  let size = 0;
  for (let i = 0; i < values.length; i += 1) size += (values[i] ?? 0) ** 2;
  return variance !== null && variance <= size * 1e-28 ? 0 : variance;
}

function covarianceOf(xs: ArrayLike<number>, ys: ArrayLike<number>): number | null {
  const n = xs.length;
  if (n < 2) return null;
  const [x, y] = [sum(xs) / n, sum(ys) / n];
  let total = 0;
  for (let i = 0; i < n; i += 1) total += ((xs[i] ?? 0) - x) * ((ys[i] ?? 0) - y);
  return total / (n - 1);
}

/** Pearson's; null without variance. Pairs whose second value is not a number do not count. */
export function correlationOf(xs: Float64Array, ys: Float64Array): number | null {
  if (ys.some(Number.isNaN)) {
    const isNumber = (_: number, i: number) => !Number.isNaN(ys[i]);
    return correlationOf(xs.filter(isNumber), ys.filter(isNumber));
  }
  const [ofX, ofY, together] = [varianceOf(xs), varianceOf(ys), covarianceOf(xs, ys)];
  if (!ofX || !ofY || together === null) return null;
  return within(together / Math.sqrt(ofX * ofY));
}

const within = (r: number): number => Math.max(-1, Math.min(1, r));

const root = (value: number | null): number | null => (value === null ? null : Math.sqrt(value));

export function medianOf(values: Iterable<number>): number | null {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length / 2;
  if (sorted.length === 0) return null;
  const upper = sorted[Math.floor(middle)] ?? 0;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? 0) + upper) / 2 : upper;
}

/** How a question treats two groups of people with equal totals. */
export interface GroupComparison {
  /** Common odds ratio of Mantel and Haenszel; over 1: easier for the first group. */
  odds: number;
  /** −2.35 ln odds, the delta scale. */
  delta: number;
  /** Chi-square with continuity correction, one degree of freedom. */
  chiSquare: number;
  /** Classes of the Educational Testing Service. */
  class: 'A' | 'B' | 'C';
}

/**
 * Critical values at 5 percent, of the chi-square distribution with one degree of freedom and the normal one.
 */
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
    haveOnly(taken, commonOf(taken)) &&
    taken.every(({ points, maxPoints }) =>
      Array.from(points).every((one, i) => one === 0 || isFull(one, maxPoints[i] ?? 0)),
    );
  /** Tables by question and total: of the first group right and wrong, of the second right and wrong. */
  const tables = Array.from({ length: questions }, () => new Map<number, number[]>());
  for (const { questions: asked, points, maxPoints, group } of taken) {
    const [total, max] = [sum(points), sum(maxPoints)];
    if (max === 0) continue;
    const share = shareIn(total, max);
    const stratum = isExact ? share : Math.min(9, Math.floor(10 * share));
    for (let at = 0; at < asked.length; at += 1) {
      const most = maxPoints[at] ?? 0;
      if (most === 0) continue;
      const ofQuestion = tables[asked[at] ?? 0];
      const cells = ofQuestion?.get(stratum) ?? [0, 0, 0, 0];
      const cell = (group === first ? 0 : 2) + (isFull(points[at] ?? 0, most) ? 0 : 1);
      cells[cell] = (cells[cell] ?? 0) + 1;
      ofQuestion?.set(stratum, cells);
    }
  }
  return tables.map((strata) => mantelHaenszel([...strata.values()]));
}

/**
 * Compares two groups. If one has all right or all wrong, so that the odds would be 0 or infinite, they are
 * those of tables with 0.5 added to each cell.
 *
 * @param strata two by two tables: first group right and wrong, second group right and wrong
 */
export function mantelHaenszel(strata: readonly (readonly number[])[]): GroupComparison | null {
  const tables = strata.filter((cells) => sum(cells) >= 2);
  let [observed, expected, variance] = [0, 0, 0];
  for (const [a = 0, b = 0, c = 0, d = 0] of tables) {
    const t = a + b + c + d;
    observed += a;
    expected += ((a + b) * (a + c)) / t;
    variance += ((a + b) * (c + d) * (a + c) * (b + d)) / (t * t * (t - 1));
  }
  if (variance === 0) return null;
  const chiSquare = Math.max(0, Math.abs(observed - expected) - 0.5) ** 2 / variance;
  const counted = oddsOf(tables);
  const { odds, seOfLog } = Number.isFinite(Math.log(counted.odds))
    ? counted
    : oddsOf(tables.map((cells) => cells.map((n) => n + 0.5)));
  const delta = -2.35 * Math.log(odds);
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

/** The common odds ratio and the standard error of its logarithm, by Robins, Breslow and Greenland. */
function oddsOf(tables: readonly (readonly number[])[]) {
  let [r, s, pr, psqr, qs] = [0, 0, 0, 0, 0];
  for (const [a = 0, b = 0, c = 0, d = 0] of tables) {
    const t = a + b + c + d;
    const [rj, sj] = [(a * d) / t, (b * c) / t];
    const [pj, qj] = [(a + d) / t, (b + c) / t];
    r += rj;
    s += sj;
    pr += pj * rj;
    psqr += pj * sj + qj * rj;
    qs += qj * sj;
  }
  const seOfLog = Math.sqrt(pr / (2 * r * r) + psqr / (2 * r * s) + qs / (2 * s * s));
  return { odds: r / s, seOfLog };
}
