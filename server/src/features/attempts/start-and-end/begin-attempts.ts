import type { OpeningNews } from '@invigil/core/contract/attempts/opening';
import {
  closeAtOf,
  type DueTime,
  dueTimeAtStart,
  leftWhenReinstated,
} from '@invigil/core/domain/attempt';
import type { ConsentTo } from '@invigil/core/domain/consent';
import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import { doesCountRight, type NegativeMarks } from '@invigil/core/domain/questions/scoring';
import type { Tx } from '../../../db/database.ts';
import { newId } from '../../../db/new-id.ts';
import {
  listAnswersOf,
  type StoredAnswer,
  writeAnswers,
} from '../../../db/queries/attempts/answers.ts';
import {
  insertParticipants,
  type ParticipantView,
  type SensorSwitches,
} from '../../../db/queries/attempts/attempts.ts';
import { insertParticipantEvents } from '../../../db/queries/attempts/events.ts';
import { getPaper, insertPapers } from '../../../db/queries/attempts/papers.ts';
import type { QuizRow } from '../../../db/queries/quizzes.ts';
import { setSessionExpiries } from '../../../db/queries/session-changes.ts';
import type { ParticipantSession } from '../../../db/queries/sessions.ts';
import type { invitations } from '../../../db/schema/invitations.ts';
import type { Device } from '../../../security/request-device.ts';
import type { DrawnPaper } from '../../assessments/questions/open-draw.ts';
import type { MatchedAnswer } from '../answers/match-answers.ts';
import type { SeenDevice } from '../device.ts';

export interface Beginning {
  attempt: number;
  policyVersion: number;
  drawn: DrawnPaper;
  negativeMarks: NegativeMarks | null;
  due: DueTime;
  answers: Omit<StoredAnswer, 'participantId'>[];
  breaks: Pick<ParticipantView, 'breaksLeft' | 'breakMsLeft'>;
  /** The attempt that is continued: its tab rule is kept. */
  usedComputer: boolean;
}

/** A person's accommodations of time. */
type Arranged = Pick<
  typeof invitations.$inferSelect,
  'extraTimeFactor' | 'breaks' | 'breakMinutes'
>;

/** A new paper and the full time. */
export function beginNew(
  quiz: QuizRow,
  drawn: DrawnPaper,
  { extraTimeFactor, breaks, breakMinutes }: Arranged,
  attempt: number,
  now: Date,
): Beginning {
  const { duration, endDate, finishAfterEnd, negativeMarks } = quiz;
  return {
    attempt,
    policyVersion: quiz.policyVersion,
    drawn,
    negativeMarks,
    due: dueTimeAtStart(now, duration, extraTimeFactor, endDate, finishAfterEnd),
    answers: [],
    breaks: { breaksLeft: breaks, breakMsLeft: breakMinutes * 60_000 },
    usedComputer: false,
  };
}

/**
 * A reinstated attempt: the same paper, answers and flags, and the remaining time with the minutes added to
 * it.
 */
export async function reinstate(tx: Tx, before: ParticipantView, now: Date): Promise<Beginning> {
  const deadlineAt = new Date(now.getTime() + leftWhenReinstated(before));
  const paper = await getPaper(tx, before.id);
  return {
    attempt: before.attempt + 1,
    policyVersion: before.policyVersion,
    drawn: {
      paper: paper.map((row) => ({
        position: row.position,
        questionId: row.questionId,
        version: row.questionVersion,
        optionOrder: row.optionOrder,
      })),
      sections: before.sections,
      maxPoints: doesCountRight(before) ? null : before.maxPoints,
    },
    negativeMarks: before.negativeMarks,
    due: {
      deadlineAt,
      closeAt: closeAtOf(deadlineAt),
      closeReason: 'auto',
    },
    answers: (await listAnswersOf(tx, [before.id])).map(({ participantId: _, ...rest }) => rest),
    breaks: { breaksLeft: before.breaksLeft, breakMsLeft: before.breakMsLeft },
    usedComputer: before.usedComputer || !before.isPhone,
  };
}

/**
 * Writes attempts that begin, with their papers, one each. This transaction has locked their invitations,
 * which have no running attempt. Returns the ids in order.
 */
export async function beginAttempts(
  tx: Tx,
  begun: readonly (Start & { beginning: Beginning; invitation: SensorSwitches })[],
): Promise<string[]> {
  const all = begun.map((start) => ({ id: newId(), ...start }));
  await insertParticipants(
    tx,
    all.map(({ id, session, details, beginning, invitation, now }) => ({
      id,
      invitationId: session.invitationId,
      userId: session.userId,
      quizId: session.quizId,
      attempt: beginning.attempt,
      status: 'in_progress',
      policyVersion: beginning.policyVersion,
      totalMarks: beginning.drawn.paper.length,
      maxPoints: beginning.drawn.maxPoints,
      sections: beginning.drawn.sections,
      negativeMarks: beginning.negativeMarks,
      startedAt: now,
      ...beginning.due,
      ...beginning.breaks,
      sessionId: session.id,
      lastSeenAt: now,
      monitorAt: now,
      checksStalledSince: now,
      countedViolations: 0,
      violationCalls: 0,
      fullscreenExits: 0,
      tabSwitches: 0,
      isPhone: details.device.kind === 'phone',
      usedComputer: beginning.usedComputer || details.device.kind !== 'phone',
      device: details.device,
      cameraEnabled: invitation.cameraEnabled,
      microphoneEnabled: invitation.microphoneEnabled,
      faceCovered: invitation.faceCovered,
      consentTextVersion: details.consentTextVersion,
      language: details.language,
      consentLanguage: details.consentTextVersion === null ? null : details.language,
      consentAt: details.consentTextVersion === null ? null : now,
      consentAddress: details.consentTextVersion === null ? null : details.address,
      deviceCheck: details.deviceCheck,
    })),
  );
  await insertPapers(
    tx,
    all.map(({ id, beginning }) => ({ participantId: id, paper: beginning.drawn.paper })),
  );
  await writeAnswers(
    tx,
    all.flatMap(({ id, beginning, now }) =>
      beginning.answers.map((answer) => ({ ...answer, participantId: id, now })),
    ),
  );
  await setSessionExpiries(
    tx,
    all.map(({ session, beginning }) => ({
      id: session.id,
      expiresAt: expiryOf(beginning.due.closeAt),
    })),
  );
  await insertParticipantEvents(
    tx,
    all.map(({ id, now }) => ({ participantId: id, kind: 'started', at: now })),
  );
  return all.map(({ id }) => id);
}

/** When the session that holds an attempt expires. */
export function expiryOf(closeAt: Date): Date {
  return new Date(closeAt.getTime() + SESSION_LIMITS.candidateAfterDeadlineMs);
}

/** The data that the browser sends at the start, and its origin. */
export interface StartDetails {
  consentTextVersion: string | null;
  /** The language of the screens on which it was read; `null`: English. */
  language: string | null;
  /** The consent; `null` when the page does not send it. */
  consentTo: ConsentTo | null;
  deviceCheck: Record<string, unknown> | null;
  address: string;
  /** The device as known from the request, completed by the page's report. */
  device: Device;
  /** The page reports a phone, and so requests no camera. */
  saysMobile: boolean;
  /** Features of the device that the page detects; `null` when not reported. */
  sees: SeenDevice | null;
}

export interface Start {
  session: ParticipantSession;
  details: StartDetails;
  /** The attempt that the page continues; without it a first one may begin. */
  resumes?: string | undefined;
  /** The ended attempt that a new one is to follow. */
  retakes?: string | undefined;
  now: Date;
}

/** The attempt, and whether this call started it; a reinstated one `hasAnswers` from the start. */
export interface Started {
  isNew: boolean;
  hasAnswers?: boolean;
  attempt: ParticipantView;
}

/** Starts attempts, or resumes those in progress, on any device (product 4.2). */
export interface AttemptStarts {
  /**
   * Parallel calls queue at the invitation's lock, so all get the same attempt (I1).
   *
   * Throws ALREADY_COMPLETED, QUIZ_INACTIVE, NOT_OPEN_YET, NOT_STARTED_YET, TOO_LATE, CAMERA_REQUIRED,
   * CONSENT_OUTDATED, NO_QUESTIONS, SESSION_REPLACED, NOT_SIGNED_IN, DISK_LOW.
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
  /** Seconds of each question in view; `undefined`: not reported. */
  focused: readonly number[] | undefined;
  now: Date;
}

/** An attempt ended by a submit, and its stored answers. */
export interface Ended {
  attempt: ParticipantView;
  answers: readonly StoredAnswer[];
}

export interface AttemptSubmits {
  /**
   * The result of the submit, or `undefined` when the attempt had ended before.
   *
   * Throws NOT_FOUND, REVISION_CONFLICT, SESSION_REPLACED, TIME_LEFT.
   */
  submit(submission: Submission): Promise<Ended | undefined>;
}

/** A candidate who waits, and whether the page says that nothing is missing but the start. */
export interface Waiting {
  session: ParticipantSession;
  isReady: boolean;
}

/** When the assessments of those who wait open or start; `undefined`: there is none. */
export interface WaitingRoom {
  read(waiting: Waiting): Promise<OpeningNews | undefined>;
}
