import type { AttemptStatus } from './attempt.ts';

/**
 * Decides whether someone may take an assessment again; results/counting.ts decides which of their attempts counts.
 * One that an administrator has set aside (“Allow another attempt”, “Reinstate”) never counts, and another one may
 * take its place: such attempts come on top of the rule. A dismissed candidate may take it again only so.
 */

/** Which of someone's attempts counts; of equally good ones the earlier. */
export const COUNTING = ['best', 'last', 'first'] as const;
export type Counting = (typeof COUNTING)[number];

export interface RetakeRule {
  /** The most attempts of each person. */
  attempts: number;
  /** Minutes between the end of an attempt and the next start. */
  waitMinutes: number;
  counts: Counting;
}

/** The rule of an assessment that has none. */
export const ONCE: RetakeRule = { attempts: 1, waitMinutes: 0, counts: 'last' };

/** The facts about an attempt on which the next one depends. */
export interface PlayedAttempt {
  id: string;
  /** 1, 2, 3 in the order of their starts. */
  attempt: number;
  status: AttemptStatus;
  startedAt: Date;
  submittedAt: Date | null;
  replacedAt: Date | null;
  /** `retake`: another attempt of the same person counts, or is under way. */
  replacedHow: string | null;
}

/** Whether an administrator has set an attempt aside. */
export const isSetAside = ({ replacedHow }: Pick<PlayedAttempt, 'replacedHow'>): boolean =>
  replacedHow !== null && replacedHow !== 'retake';

/** Another attempt that someone may begin without an administrator. */
export interface Retake {
  /** The ended attempt that it follows. */
  after: string;
  /** Which one it is of those that stand, from 2. */
  number: number;
  /** How many are left, with this one. */
  left: number;
  from: Date;
}

/** The next attempt after those of one person, oldest first; null: there is none, or the latest does not stand. */
export function retakeAfter(
  attempts: readonly PlayedAttempt[],
  { attempts: most, waitMinutes }: RetakeRule,
): Retake | null {
  const latest = attempts.at(-1);
  if (!latest?.submittedAt || isSetAside(latest)) return null;
  const standing = attempts.filter((one) => !isSetAside(one));
  // Set aside since: another attempt is allowed whatever the rule says.
  const isAllowed = attempts.some(
    (one) => isSetAside(one) && one.replacedAt !== null && one.replacedAt > latest.startedAt,
  );
  const left = Math.max(most - standing.length, isAllowed ? 1 : 0);
  const isDismissed = standing.some(({ status }) => status === 'dismissed');
  if (left < 1 || (isDismissed && !isAllowed)) return null;
  const waitMs = isAllowed ? 0 : waitMinutes * 60_000;
  const from = new Date(latest.submittedAt.getTime() + waitMs);
  return { after: latest.id, number: standing.length + 1, left, from };
}
