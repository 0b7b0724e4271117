import type { ConsentTo } from '@invigil/core/domain/consent';
import type { StoredChoice } from '../../../db/queries/attempts/answers.ts';
import type { ParticipantView } from '../../../db/queries/attempts/attempts.ts';
import type { ParticipantSession } from '../../../db/queries/sessions.ts';
import type { Device } from '../../../security/request-device.ts';
import type { MatchedAnswer } from '../answers/match-answers.ts';
import type { SeenDevice } from '../violations/device.ts';

/** What the browser tells at the start, and from where. */
export interface StartDetails {
  consentTextVersion: string | null;
  /** What was agreed to; `null` where the page does not say. */
  consentTo: ConsentTo | null;
  deviceCheck: Record<string, unknown> | null;
  address: string;
  /** Of a kind in any case: what the request leaves open the page says. */
  device: Device;
  /** What the page says itself: it asks for no camera where it takes its device for a phone. */
  saysMobile: boolean;
  /** What the page sees of the device itself; `null` where it does not say. */
  sees: SeenDevice | null;
}

/** Someone who asks to begin. */
export interface Start {
  session: ParticipantSession;
  details: StartDetails;
  now: Date;
}

/** The attempt, and whether it began just now. */
export interface Started {
  isNew: boolean;
  attempt: ParticipantView;
}

/** Starts attempts, or resumes the ones in progress, on whatever device (product 4.2). */
export interface AttemptStarts {
  /**
   * Parallel calls go one after the other at the invitation's lock, so all get the same attempt (I1).
   *
   * Throws ALREADY_COMPLETED, QUIZ_INACTIVE, CAMERA_REQUIRED, CONSENT_OUTDATED, NO_QUESTIONS,
   * SESSION_REPLACED, NOT_SIGNED_IN, DISK_LOW.
   */
  start(start: Start): Promise<Started>;
}

/** A submit whose rows are options of the paper. */
export interface Submission {
  participantId: string;
  sessionId: string;
  matched: readonly MatchedAnswer[];
  /** Whether the browser says that the clock ended it. */
  isAuto: boolean;
  /** The deadline that such an end knows of, or `null` where it says none. */
  knownDeadlineAt: Date | null;
  now: Date;
}

/** An attempt that a submit has ended, and what is stored of it. */
export interface Ended {
  attempt: ParticipantView;
  answers: readonly StoredChoice[];
}

/** Ends attempts by submits. */
export interface AttemptSubmits {
  /**
   * What the submit has ended, or `undefined` where the attempt was over already.
   *
   * Throws NOT_FOUND, REVISION_CONFLICT, SESSION_REPLACED, TIME_LEFT.
   */
  submit(submission: Submission): Promise<Ended | undefined>;
}
