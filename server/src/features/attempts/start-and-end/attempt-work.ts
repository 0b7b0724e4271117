import type { ConsentTo } from '@invigil/core/domain/consent';
import type { StoredAnswer } from '../../../db/queries/attempts/answers.ts';
import type { ParticipantView } from '../../../db/queries/attempts/attempts.ts';
import type { ParticipantSession } from '../../../db/queries/sessions.ts';
import type { Device } from '../../../security/request-device.ts';
import type { MatchedAnswer } from '../answers/match-answers.ts';
import type { SeenDevice } from '../device/device.ts';

/** What the browser sends at the start, and its origin. */
export interface StartDetails {
  consentTextVersion: string | null;
  /** The consent; `null` when the page does not send it. */
  consentTo: ConsentTo | null;
  deviceCheck: Record<string, unknown> | null;
  address: string;
  /** The device as known from the request, completed by the page's report. */
  device: Device;
  /** As the page reports it: on a phone it requests no camera. */
  saysMobile: boolean;
  /** What the page detects of the device; `null` when not reported. */
  sees: SeenDevice | null;
}

/** A request to begin. */
export interface Start {
  session: ParticipantSession;
  details: StartDetails;
  now: Date;
}

/** The attempt, and whether this call started it. */
export interface Started {
  isNew: boolean;
  attempt: ParticipantView;
}

/** Starts attempts, or resumes those in progress, on any device (product 4.2). */
export interface AttemptStarts {
  /**
   * Parallel calls queue at the invitation's lock, so all get the same attempt (I1).
   *
   * Throws ALREADY_COMPLETED, QUIZ_INACTIVE, CAMERA_REQUIRED, CONSENT_OUTDATED, NO_QUESTIONS,
   * SESSION_REPLACED, NOT_SIGNED_IN, DISK_LOW.
   */
  start(start: Start): Promise<Started>;
}

/** A submit whose rows match the paper. */
export interface Submission {
  participantId: string;
  sessionId: string;
  matched: readonly MatchedAnswer[];
  /** Whether the browser reports that the clock ended it. */
  isAuto: boolean;
  /** The deadline known to the browser at such an end, or `null`. */
  knownDeadlineAt: Date | null;
  now: Date;
}

/** An attempt ended by a submit, and its stored answers. */
export interface Ended {
  attempt: ParticipantView;
  answers: readonly StoredAnswer[];
}

/** Ends attempts by submits. */
export interface AttemptSubmits {
  /**
   * The result of the submit, or `undefined` when the attempt had ended before.
   *
   * Throws NOT_FOUND, REVISION_CONFLICT, SESSION_REPLACED, TIME_LEFT.
   */
  submit(submission: Submission): Promise<Ended | undefined>;
}
