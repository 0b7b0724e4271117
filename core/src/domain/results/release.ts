import type { AttemptStatus, Verdict } from '../attempt.ts';

/** When candidates may see their results, and what of them. */

/** The parts of a released result. */
export const RELEASED_PARTS = [
  ...(['outcome', 'grade', 'score', 'sections', 'answers', 'key', 'explanations'] as const),
  // Figures of everyone who took the assessment.
  'statistics',
  // Only candidates who passed get one.
  'certificate',
] as const;
export type ReleasedPart = (typeof RELEASED_PARTS)[number];

export interface ReleaseRules {
  parts: ReleasedPart[];
  when:
    | { kind: 'by_hand' }
    | { kind: 'at_once' }
    | { kind: 'reviewed' }
    | { kind: 'at'; at: string };
  /** Days after the release in which the one-time password opens the result. */
  openDays: number;
  /**
   * Own answers, right ones and explanations wait until no one can start or is under way; absent: they come
   * with the rest.
   */
  keyAfterEnd?: true | undefined;
}

/** The parts that tell which answers are right. */
export const KEY_PARTS = ['key', 'explanations'] as const satisfies ReleasedPart[];
export type KeyPart = (typeof KEY_PARTS)[number];

/** The parts of some rules that tell which answers are right. */
export const keyPartsOf = ({ parts }: Pick<ReleaseRules, 'parts'>): KeyPart[] =>
  KEY_PARTS.filter((part) => parts.includes(part));

/**
 * The parts from which others learn answers. Own ones tell the questions, and beside full points also what is
 * right.
 */
export const LATE_PARTS = ['answers', ...KEY_PARTS] as const satisfies ReleasedPart[];
export type LatePart = (typeof LATE_PARTS)[number];

/** The parts of some rules from which others learn answers. */
export const latePartsOf = ({ parts }: Pick<ReleaseRules, 'parts'>): LatePart[] =>
  LATE_PARTS.filter((part) => parts.includes(part));

/**
 * The parts that wait for the end of the assessment: someone who can still start, or is under way, could learn
 * them from others.
 *
 * @param isOver no one can start any more, and no one is under way
 */
export const waitingParts = (
  rules: Pick<ReleaseRules, 'parts' | 'keyAfterEnd'>,
  isOver: boolean,
): LatePart[] => (rules.keyAfterEnd && !isOver ? latePartsOf(rules) : []);

/**
 * Whether new rules take back what is released: they show no results, or wait for a later time than before. What
 * was released then needs another release to be seen again.
 *
 * @param before null: nothing was shown, and nothing of it is shown again by itself
 */
export function takesBack(
  before: Pick<ReleaseRules, 'when'> | null,
  after: Pick<ReleaseRules, 'when'> | null,
  now: Date,
): boolean {
  if (before === null || after === null) return true;
  if (after.when.kind !== 'at' || waitOf(after, now) === null) return false;
  const former = before.when.kind === 'at' ? Date.parse(before.when.at) : Number.NEGATIVE_INFINITY;
  return Date.parse(after.when.at) > former;
}

/** Why a result is not released yet. */
export const RELEASE_HOLDS = [
  'running',
  // The invitation was revoked, so the candidate cannot sign in to read it.
  'revoked',
  // The verdict is a breach of the rules; a person decides whether the candidate sees the result.
  'breach',
  // Dismissed, and no reviewer has decided about it.
  'undecided',
  // No mail can be sent, so candidates would not learn of it.
  'mail',
  ...(['by_hand', 'review', 'time'] as const),
] as const;
export type ReleaseHold = (typeof RELEASE_HOLDS)[number];

/** The facts of an attempt that the rule needs. */
export interface Releasable {
  status: AttemptStatus;
  verdict: Verdict | null;
  /** It has something to review, and no verdict. */
  toReview: boolean;
  /** The invitation was revoked. */
  isRevoked: boolean;
}

/**
 * Why a result is not released by itself; null: it is. What is decided by hand waits for nothing but the end
 * of the attempt, a valid invitation and, unless it is named, a decision about a breach.
 *
 * @param canMail whether mail can be sent
 */
export function holdOf(
  rules: Pick<ReleaseRules, 'when'>,
  attempt: Releasable,
  now: Date,
  canMail: boolean,
): ReleaseHold | null {
  const open = openDecision(attempt);
  if (open !== null) return open;
  const wait = waitOf(rules, now);
  if (wait === 'by_hand') return wait;
  if (!canMail) return 'mail';
  return wait ?? (rules.when.kind === 'reviewed' && attempt.toReview ? 'review' : null);
}

/**
 * The reason for which the rule itself waits, regardless of the attempt; null: it can release results now.
 */
export function waitOf(
  { when }: Pick<ReleaseRules, 'when'>,
  now: Date,
): Extract<ReleaseHold, 'by_hand' | 'time'> | null {
  if (when.kind === 'at') return now.getTime() < Date.parse(when.at) ? 'time' : null;
  return when.kind === 'by_hand' ? when.kind : null;
}

/** The reason against any release: no one could read it, or a breach is in question. */
export function openDecision({
  status,
  verdict,
  isRevoked,
}: Releasable): 'running' | 'revoked' | 'breach' | 'undecided' | null {
  if (status === 'in_progress') return 'running';
  if (isRevoked) return 'revoked';
  if (verdict === 'breach') return 'breach';
  return status === 'dismissed' && verdict === null ? 'undecided' : null;
}

const DAY_MS = 86_400_000;

/**
 * The moment until which the one-time password opens a result. The days of answers that wait for the end date
 * begin with it.
 */
export function openUntil(releasedAt: Date, rules: ReleaseRules, endDate: Date | null): Date {
  const waits = waitingParts(rules, false).length > 0;
  const from = Math.max(releasedAt.getTime(), (waits && endDate?.getTime()) || 0);
  return new Date(from + rules.openDays * DAY_MS);
}
