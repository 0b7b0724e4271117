import { t } from '../../../texts/i18n.ts';
import type { ScoringRule } from '../question-definition.ts';

/** Percent of the points for an option or an accepted answer; with the rule `weights` only. */
export interface Weighted {
  weight?: number | undefined;
}

/** The least common multiple of 1 to 26, the most options: every share of options is a whole number. */
const SHARES = 26_771_144_400n;
/** Weights have five decimals of a percent. */
const WEIGHTS = 10_000_000n;
/** All points of a question, so that every share of them is a whole number. */
export const FULL = SHARES * WEIGHTS;

/** The share of the points an answer earns, of `FULL`, and its wrong answers. */
export interface Evaluation {
  share: bigint;
  /** Wrong selections; where only the answer as a whole is right or wrong, 1 for a wrong one. */
  wrong: number;
}

export function asWhole(isRight: boolean): Evaluation {
  return isRight ? { share: FULL, wrong: 0 } : { share: 0n, wrong: 1 };
}

/** The weight in hundred-thousandths of a percent. */
export function weightOf({ weight }: Weighted): bigint {
  return BigInt(Math.round((weight ?? 0) * 100_000));
}

/** The share of the points for a weight, from none to all. */
export function shareOf(weight: bigint): bigint {
  const share = SHARES * weight;
  return share < 0n ? 0n : share > FULL ? FULL : share;
}

export const WEIGHT_PROBLEMS = {
  weight: () =>
    t(
      /* of an answer: its share of the points */ 'definition.weight',
      'A weight is -100 to 100 percent, with at most five decimals',
    ),
  noPositiveWeight: () => t('definition.noPositiveWeight', 'At least one weight must be above 0'),
};

export function isWeight(weight: number): boolean {
  return weight >= -100 && weight <= 100 && isDecimal(weight, 5);
}

/** The weight where the rule is weights: every option and accepted answer has one, and no others do. */
export function cleanWeight(rule: ScoringRule, { weight = 0 }: Weighted): { weight?: number } {
  return rule === 'weights' ? { weight: rounded(weight, 5) } : {};
}

/** Whether a number has at most so many decimals: `0.1 * 100` is not quite 10, so there is a tolerance. */
export function isDecimal(value: number, decimals: number): boolean {
  const scaled = value * 10 ** decimals;
  return Number.isFinite(value) && Math.abs(scaled - Math.round(scaled)) < 1e-6;
}

/** Removes the error of a computed decimal: 1.1099999999999999 is 1.11. */
export function rounded(value: number, decimals: number): number {
  if (!isDecimal(value, decimals)) return value;
  return Math.round(value * 10 ** decimals) / 10 ** decimals;
}

/** The highest weight first. */
export function byWeight(a: Weighted, b: Weighted): number {
  return (b.weight ?? 0) - (a.weight ?? 0);
}
