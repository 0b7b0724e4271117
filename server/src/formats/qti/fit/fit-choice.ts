import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { figureText } from '@invigil/core/domain/locale';
import type { ScoringRule } from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';
import { belowZeroText } from '../../text/full-points.ts';
import { isNear, type Note, NotSupported, percentOf, pointsOf, type Score } from './score.ts';

/** A choice as the file has it, with its score as a function. */
export interface ScoredChoice {
  ids: readonly string[];
  isSingle: boolean;
  score: Score<ReadonlySet<string>>;
  /** Selections that the file names: its key, and the sets that its rules compare with. */
  named: readonly (readonly string[])[];
  /** The maximum that the file declares. */
  declaredMost?: number | undefined;
  /** The rules are a template that gives one point, whatever the file says the most is. */
  isTemplate?: boolean | undefined;
  /** The value of each option in a mapping, where the score is the mapping's value. */
  mapped?: readonly number[] | undefined;
  /** The rule that the file is known to mean, also where another one gives the same. */
  rule?: ScoringRule | undefined;
}

/** The rule that gives the same points for every selection. */
export interface FittedChoice {
  rule: ScoringRule;
  isCorrect: boolean[];
  weights: number[] | null;
  points: number;
  notes: Note[];
}

/** Up to this many options every selection is tried; beyond, those that can differ. */
const MOST_TRIED_ALL = 8;
const RANDOM_TRIES = 200;
/** Files are made to take long too: what is named beyond is not tried. */
const MOST_NAMED = 40;

/**
 * Finds the scoring rule that gives the same points as the file's own rules. Throws NotSupported when
 * there is none; `null` when no selection earns anything.
 */
export function fitChoice(choice: ScoredChoice): FittedChoice | null {
  const { ids, isSingle } = choice;
  if (ids.length > QUESTION_LIMITS.richOptionsMax) {
    throw new NotSupported(
      t(
        /* “it”: a question of the file */ 'import.qti.tooManyOptions',
        '{count, plural, one {It has {figure} options; a question has at most {most}.} other {It has {figure} options; a question has at most {most}.}}',
        { count: ids.length, figure: figureText(ids.length), most: QUESTION_LIMITS.richOptionsMax },
      ),
    );
  }
  const of = (selection: readonly string[]) => choice.score(new Set(selection));
  const singles = ids.map((id) => of([id]));
  const selections = isSingle ? ids.map((id) => [id]) : selectionsToTry(choice);
  const scores = selections.map(of);
  const reached = Math.max(...scores);
  if (!(reached > 0)) return null;
  const notes: Note[] = scores.some((score) => score < 0) ? [belowZeroText()] : [];
  const best = selections.filter((_, i) => isNear(scores[i] ?? 0, reached));
  if (
    (choice.rule ?? 'all_or_nothing') === 'all_or_nothing' &&
    best.length === 1 &&
    scores.every((score) => score === 0 || isNear(score, reached))
  ) {
    const { points, notes: more } = pointsOf(
      reached,
      choice.declaredMost,
      choice.isTemplate === true,
    );
    if (isNear(points, reached)) {
      return {
        rule: 'all_or_nothing',
        isCorrect: ids.map((id) => best[0]?.includes(id) ?? false),
        weights: null,
        points,
        notes: more,
      };
    }
  }
  const { points, notes: more } = pointsOf(reached, choice.declaredMost, false);
  notes.push(...more);
  const isFit = ({ constant, parts }: Linear) =>
    selections.every((selection, i) => {
      const sum = selection.reduce((total, id) => total + (parts[ids.indexOf(id)] ?? 0), constant);
      return isNear(Math.min(Math.max(0, sum), points), Math.max(0, scores[i] ?? 0));
    });
  const { mapped, rule } = choice;
  if (mapped && rule && isFit(meantBy(rule, mapped, points))) {
    if (rule === 'weights') return { ...weighted(mapped, points), notes };
    return { rule, isCorrect: mapped.map((value) => value > 0), weights: null, points, notes };
  }
  if (mapped && isFit({ constant: 0, parts: mapped })) {
    return { ...(isSingle ? weighted(mapped, points) : ruleOf(0, mapped, points)), notes };
  }
  if (isSingle) return { ...weighted(singles, points), notes };
  const { constant, parts } = linear(choice, singles, of);
  if (!isFit({ constant, parts })) {
    throw new NotSupported(
      t(
        /* “it”: a question of the file */ 'import.qti.noSuchRule',
        'Its points for a selection follow none of the scoring rules here.',
      ),
    );
  }
  return { ...ruleOf(constant, parts, points), notes };
}

/** A score as a sum: a constant, and a part for each selected option. */
interface Linear {
  constant: number;
  parts: readonly number[];
}

/** A scoring rule as a linear sum, with options that are mapped to more than 0 as the correct ones. */
function meantBy(rule: ScoringRule, mapped: readonly number[], points: number): Linear {
  const right = mapped.filter((value) => value > 0).length;
  if (rule === 'weights') return { constant: 0, parts: mapped };
  const share = points / (rule === 'per_option' ? mapped.length : right);
  return {
    constant: rule === 'per_option' ? points - right * share : 0,
    parts: mapped.map((value) => (value > 0 ? share : -share)),
  };
}

/** Finds the sum by trying selections. */
function linear(
  { ids, score }: ScoredChoice,
  singles: readonly number[],
  of: (selection: readonly string[]) => number,
): Linear {
  // The best selection is where a loss shows in full: below, totals may be cut off at 0.
  let best = new Set<string>();
  for (const id of ids) {
    const more = new Set(best).add(id);
    if (best.size === 0 || score(more) > score(best)) best = more;
  }
  for (const id of ids) {
    const less = new Set([...best].filter((other) => other !== id));
    if (less.size > 0 && score(less) >= score(best)) best = less;
  }
  const most = score(best);
  const parts = ids.map((id) =>
    best.has(id)
      ? best.size > 1
        ? most - of([...best].filter((other) => other !== id))
        : (singles[ids.indexOf(id)] ?? 0)
      : of([...best, id]) - most,
  );
  const constant = most - [...best].reduce((sum, id) => sum + (parts[ids.indexOf(id)] ?? 0), 0);
  return { constant: isNear(constant, 0) ? 0 : constant, parts };
}

function ruleOf(
  constant: number,
  parts: readonly number[],
  points: number,
): Omit<FittedChoice, 'notes'> {
  const isCorrect = parts.map((part) => part > 0);
  const right = isCorrect.filter(Boolean).length;
  const share = points / parts.length;
  const isPerOption =
    isNear(constant, points - right * share) &&
    parts.every((part) => isNear(Math.abs(part), share));
  if (isPerOption && constant !== 0) {
    return { rule: 'per_option', isCorrect, weights: null, points };
  }
  if (constant !== 0) {
    throw new NotSupported(
      t(
        /* “it”: a question of the file */ 'import.qti.pointsBefore',
        'It gives points for a selection before any of its options count.',
      ),
    );
  }
  if (right > 1 && parts.every((part) => isNear(Math.abs(part), points / right))) {
    return { rule: 'right_minus_wrong', isCorrect, weights: null, points };
  }
  return weighted(parts, points);
}

function weighted(parts: readonly number[], points: number): Omit<FittedChoice, 'notes'> {
  const weights = parts.map((part) => Math.max(-100, percentOf(part, points)));
  return { rule: 'weights', isCorrect: weights.map((weight) => weight > 0), weights, points };
}

function selectionsToTry({ ids, named }: ScoredChoice): string[][] {
  if (ids.length <= MOST_TRIED_ALL) {
    return Array.from({ length: 2 ** ids.length - 1 }, (_, bits) =>
      ids.filter((__, i) => ((bits + 1) >> i) & 1),
    );
  }
  const known = named.slice(0, MOST_NAMED).map((set) => ids.filter((id) => set.includes(id)));
  const near = known.flatMap((set) => [
    set,
    ids.filter((id) => !set.includes(id)),
    ...ids.map((id) => ids.filter((other) => set.includes(other) !== (other === id))),
  ]);
  const pairs = ids.flatMap((a, i) => ids.slice(i).map((b) => (a === b ? [a] : [a, b])));
  const random = Array.from({ length: RANDOM_TRIES }, (_, n) =>
    ids.filter((__, i) => bitOf(n * ids.length + i)),
  );
  const unique = new Map(
    [[...ids], ...near, ...pairs, ...random].map((set) => [set.join('\n'), set]),
  );
  unique.delete('');
  return [...unique.values()];
}

/** The same bits on every run: a hash of the index. */
function bitOf(n: number): boolean {
  const mixed = Math.imul(n + 1, 0x9e3779b1);
  return ((mixed ^ (mixed >>> 15)) & 0x100) !== 0;
}
