import { randomBytes } from 'node:crypto';
import { closeAtOf, type DueTime, dueTimeAtStart } from '@invigil/core/domain/attempt';
import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import { drawPaper, type PaperPosition } from '@invigil/core/domain/questions/draw';
import type { Tx } from '../../../db/database.ts';
import { newId } from '../../../db/new-id.ts';
import {
  listAnswersOf,
  type StoredChoice,
  writeAnswers,
} from '../../../db/queries/attempts/answers.ts';
import {
  insertParticipants,
  type ParticipantView,
  type SensorSwitches,
} from '../../../db/queries/attempts/attempts.ts';
import { insertParticipantEvents } from '../../../db/queries/attempts/events.ts';
import { getPaper, insertPapers } from '../../../db/queries/attempts/papers.ts';
import type { QuestionView } from '../../../db/queries/questions.ts';
import type { QuizRow } from '../../../db/queries/quizzes.ts';
import { setSessionExpiries } from '../../../db/queries/session-changes.ts';
import type { Start } from './attempt-work.ts';

/** The initial state of an attempt. */
export interface Beginning {
  attempt: number;
  policyVersion: number;
  paper: PaperPosition[];
  due: DueTime;
  answers: Omit<StoredChoice, 'participantId'>[];
  /** The attempt that is continued: its tab rule is kept. */
  usedComputer: boolean;
}

/** A new paper and the full time. */
export function beginNew(
  quiz: QuizRow,
  questions: readonly QuestionView[],
  extraTimeFactor: number,
  attempt: number,
  now: Date,
): Beginning {
  const drawable = questions.map(({ version }) => ({
    questionId: version.questionId,
    version: version.version,
    optionIds: version.optionIds,
  }));
  const { duration, endDate, finishAfterEnd } = quiz;
  return {
    attempt,
    policyVersion: quiz.policyVersion,
    paper: drawPaper(drawable, quiz.totalQuestions, randomBytes(16).toString('hex')),
    due: dueTimeAtStart(now, duration, extraTimeFactor, endDate, finishAfterEnd),
    answers: [],
    usedComputer: false,
  };
}

/** A reinstated attempt: the same paper, answers and flags, and the remaining time. */
export async function reinstate(tx: Tx, before: ParticipantView, now: Date): Promise<Beginning> {
  const leftMs = Math.max(
    0,
    before.deadlineAt.getTime() - (before.submittedAt ?? before.deadlineAt).getTime(),
  );
  const deadlineAt = new Date(now.getTime() + leftMs);
  const paper = await getPaper(tx, before.id);
  return {
    attempt: before.attempt + 1,
    policyVersion: before.policyVersion,
    paper: paper.map((row) => ({
      position: row.position,
      questionId: row.questionId,
      version: row.questionVersion,
      optionOrder: row.optionOrder,
    })),
    due: {
      deadlineAt,
      closeAt: closeAtOf(deadlineAt),
      closeReason: 'auto',
    },
    answers: (await listAnswersOf(tx, [before.id])).map(({ participantId: _, ...rest }) => rest),
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
      replacedAt: null,
      replacedHow: null,
      status: 'in_progress',
      policyVersion: beginning.policyVersion,
      totalMarks: beginning.paper.length,
      startedAt: now,
      ...beginning.due,
      submittedAt: null,
      submissionType: null,
      score: null,
      answeredCount: null,
      receiptId: null,
      sessionId: session.id,
      lastSeenAt: now,
      monitorAt: now,
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
      consentAt: details.consentTextVersion === null ? null : now,
      consentAddress: details.consentTextVersion === null ? null : details.address,
      deviceCheck: details.deviceCheck,
      note: '',
      messageCount: 0,
    })),
  );
  await insertPapers(
    tx,
    all.map(({ id, beginning }) => ({ participantId: id, paper: beginning.paper })),
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
