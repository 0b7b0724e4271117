import { randomBytes } from 'node:crypto';
import { dueTimeAtStart } from '@invigil/core/domain/attempt';
import { drawPaper } from '@invigil/core/domain/draw';
import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import { inTransaction, type Tx } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import { insertPaper } from '../answers/paper-queries.ts';
import { lockInvitation } from '../auth/queries.ts';
import {
  isSessionLive,
  type ParticipantSession,
  setSessionExpiry,
} from '../auth/session-queries.ts';
import { listQuestions } from '../questions/queries.ts';
import { isQuizOpen } from '../quizzes/present.ts';
import { lockQuiz } from '../quizzes/queries.ts';
import { closeParticipants } from './close-participants.ts';
import {
  findCurrentParticipant,
  insertParticipant,
  insertParticipantEvent,
  lockParticipant,
  nextAttemptNumber,
  type ParticipantView,
  setParticipantSession,
} from './queries.ts';

/** What the browser tells at the start, and from where. */
export interface StartDetails {
  consentTextVersion: string | null;
  deviceCheck: Record<string, unknown> | null;
  address: string;
}

/**
 * Starts the attempt or resumes the one in progress, on whatever device (product 4.2). Parallel
 * calls go one after the other at the invitation's lock, so all get the same attempt (I1).
 *
 * Throws ALREADY_COMPLETED, QUIZ_INACTIVE, NO_QUESTIONS, SESSION_REPLACED.
 */
export async function startParticipant(
  ctx: AppContext,
  session: ParticipantSession,
  details: StartDetails,
  now: Date,
): Promise<{ isNew: boolean; attempt: ParticipantView }> {
  const outcome = await inTransaction(ctx.db, async (tx) => {
    const invitation = await lockInvitation(tx, session.invitationId);
    if (!invitation) throw new AppError('NOT_FOUND');
    // Asked again under the lock: a newer sign-in may have come in between.
    if (!(await isSessionLive(tx, session.id))) throw new AppError('SESSION_REPLACED');
    const current = await findCurrentParticipant(tx, session.userId, session.quizId);
    if (current) return resume(tx, session, current, now);
    await start(tx, session, invitation.extraTimeFactor, details, now);
    return 'started';
  });
  if (outcome === 'ended') throw new AppError('ALREADY_COMPLETED');
  const attempt = await findCurrentParticipant(ctx.db, session.userId, session.quizId);
  if (!attempt) throw new Error('an attempt was started and is not there');
  return { isNew: outcome === 'started', attempt };
}

async function resume(tx: Tx, session: ParticipantSession, current: ParticipantView, now: Date) {
  await lockParticipant(tx, current.id);
  const locked = await findCurrentParticipant(tx, session.userId, session.quizId);
  if (locked?.status !== 'in_progress') return 'ended';
  if (now > locked.closeAt) {
    // Due, and the closing job has not come round yet: this call is the one closer.
    await closeParticipants(tx, [locked], 'due', now);
    return 'ended';
  }
  if (locked.sessionId !== session.id) {
    await setParticipantSession(tx, locked.id, session.id);
    await setSessionExpiry(tx, session.id, expiryOf(locked.closeAt));
  }
  await insertParticipantEvent(tx, { participantId: locked.id, kind: 'resumed', at: now });
  return 'resumed';
}

async function start(
  tx: Tx,
  session: ParticipantSession,
  extraTimeFactor: number,
  details: StartDetails,
  now: Date,
): Promise<void> {
  const quiz = await lockQuiz(tx, session.quizId, 'share');
  if (!quiz || !isQuizOpen(quiz, now)) throw new AppError('QUIZ_INACTIVE');
  const questions = (await listQuestions(tx, quiz.id)).map(({ version }) => ({
    questionId: version.questionId,
    version: version.version,
    optionIds: version.optionIds,
  }));
  if (questions.length === 0) throw new AppError('NO_QUESTIONS');
  const paper = drawPaper(questions, quiz.totalQuestions, randomBytes(16).toString('hex'));
  const due = dueTimeAtStart(
    now,
    quiz.duration,
    extraTimeFactor,
    quiz.endDate,
    quiz.finishAfterEnd,
  );
  const id = newId();
  await insertParticipant(tx, {
    id,
    invitationId: session.invitationId,
    userId: session.userId,
    quizId: quiz.id,
    attempt: await nextAttemptNumber(tx, session.userId, quiz.id),
    replacedAt: null,
    status: 'in_progress',
    policyVersion: quiz.policyVersion,
    totalMarks: paper.length,
    startedAt: now,
    ...due,
    submittedAt: null,
    submissionType: null,
    score: null,
    answeredCount: null,
    receiptId: null,
    sessionId: session.id,
    lastSeenAt: now,
    countedViolations: 0,
    violationCalls: 0,
    fullscreenExits: 0,
    tabSwitches: 0,
    consentTextVersion: details.consentTextVersion,
    consentAt: details.consentTextVersion === null ? null : now,
    consentAddress: details.consentTextVersion === null ? null : details.address,
    deviceCheck: details.deviceCheck,
  });
  await insertPaper(tx, id, paper);
  await setSessionExpiry(tx, session.id, expiryOf(due.closeAt));
  await insertParticipantEvent(tx, { participantId: id, kind: 'started', at: now });
}

function expiryOf(closeAt: Date): Date {
  return new Date(closeAt.getTime() + SESSION_LIMITS.candidateAfterDeadlineMs);
}
