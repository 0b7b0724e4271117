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

/** The moment until which the one-time password opens a result. */
export const openUntil = (releasedAt: Date, openDays: number): Date =>
  new Date(releasedAt.getTime() + openDays * DAY_MS);
