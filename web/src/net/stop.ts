import { AttemptStatus, SubmissionType } from '@invigil/core/contract/attempts/own-participant';
import type {
  AttemptStatus as Status,
  SubmissionType as Submission,
} from '@invigil/core/domain/attempt';
import { ApiError } from './api-error.ts';

/** Why the session or the attempt accepts nothing more. */
export type Stop =
  | { kind: 'replaced' }
  /** Another person signed in in this browser, or the attempt is no longer theirs. */
  | { kind: 'foreign' }
  | { kind: 'signed-out' }
  | { kind: 'closed'; status: Status | null; submissionType: Submission | null };

/** Why this page has to stop although the attempt may continue. */
export type SessionStop = Exclude<Stop, { kind: 'closed' }>;

/**
 * The refusals after which nothing more can be sent, or `null`. A 401 from a captive portal or a
 * proxy is not one of them.
 *
 * NOT_FOUND without issues and FORBIDDEN mean that another person signed in in this browser. Pending
 * changes remain stored until the candidate signs in again.
 */
export function stopOf(error: unknown): Stop | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'SESSION_REPLACED') return { kind: 'replaced' };
  const isUnknown = error.code === 'NOT_FOUND' && error.issues.length === 0;
  if (error.code === 'FORBIDDEN' || isUnknown) return { kind: 'foreign' };
  if (error.code === 'ATTEMPT_CLOSED') {
    return {
      kind: 'closed',
      status: AttemptStatus.safeParse(error.details.status).data ?? null,
      submissionType: SubmissionType.safeParse(error.details.submissionType).data ?? null,
    };
  }
  return error.isOurs && error.status === 401 ? { kind: 'signed-out' } : null;
}

export function isSessionStop(outcome: { kind: string }): outcome is SessionStop {
  return ['replaced', 'foreign', 'signed-out'].includes(outcome.kind);
}
