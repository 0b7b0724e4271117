import { randomBytes } from 'node:crypto';
import { type DueTime, dueTimeAtStart } from '@invigil/core/domain/attempt';
import { drawPaper, type PaperPosition } from '@invigil/core/domain/draw';
import { ATTEMPT_LIMITS, SESSION_LIMITS } from '@invigil/core/domain/limits';
import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import { inTransaction, type Tx } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import { getPaper, insertPaper } from '../answers/paper-queries.ts';
import { listAnswers, writeAnswers } from '../answers/queries.ts';
import { lockInvitation } from '../auth/queries.ts';
import {
  isSessionLive,
  type ParticipantSession,
  setSessionExpiry,
} from '../auth/session-queries.ts';
import { listQuestions } from '../questions/queries.ts';
import { isQuizOpen } from '../quizzes/present.ts';
import { lockQuiz, type QuizRow } from '../quizzes/queries.ts';
import { closeParticipants } from './close-participants.ts';
import { gapSince } from './connection-gap.ts';
import {
  findCurrentParticipant,
  findLatestReplaced,
  insertParticipant,
  insertParticipantEvent,
  lockParticipant,
  noteReturn,
  type ParticipantView,
  setIsPhone,
  setParticipantSession,
} from './queries.ts';

/** What the browser tells at the start, and from where. */
export interface StartDetails {
  consentTextVersion: string | null;
  deviceCheck: Record<string, unknown> | null;
  address: string;
  isPhone: boolean;
}

/**
 * Starts the attempt or resumes the one in progress, on whatever device (product 4.2). Parallel
 * calls go one after the other at the invitation's lock, so all get the same attempt (I1).
 *
 * Throws ALREADY_COMPLETED, QUIZ_INACTIVE, NO_QUESTIONS, SESSION_REPLACED, NOT_SIGNED_IN.
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
    if (current) return resume(tx, ctx, session, current, details.isPhone, now);
    // Taken back while somebody was signed in: what runs goes on, but nothing begins.
    if (invitation.revokedAt !== null) throw new AppError('NOT_SIGNED_IN');
    await start(tx, session, invitation.extraTimeFactor, details, now);
    return 'started';
  });
  if (outcome === 'ended') throw new AppError('ALREADY_COMPLETED');
  const attempt = await findCurrentParticipant(ctx.db, session.userId, session.quizId);
  if (!attempt) throw new Error('an attempt was started and is not there');
  return { isNew: outcome === 'started', attempt };
}

async function resume(
  tx: Tx,
  ctx: AppContext,
  session: ParticipantSession,
  current: ParticipantView,
  isPhone: boolean,
  now: Date,
) {
  await lockParticipant(tx, current.id);
  const locked = await findCurrentParticipant(tx, session.userId, session.quizId);
  if (locked?.status !== 'in_progress') return 'ended';
  if (now > locked.closeAt) {
    // Due, and the closing job has not come round yet: this call is the one closer.
    await closeParticipants(tx, ctx, [locked], 'due', now);
    return 'ended';
  }
  if (locked.sessionId !== session.id) {
    await setParticipantSession(tx, locked.id, session.id);
    await setSessionExpiry(tx, session.id, expiryOf(locked.closeAt));
  }
  if (locked.isPhone !== isPhone) await setIsPhone(tx, locked.id, isPhone);
  const gap = gapSince(locked.lastSeenAt, now);
  if (gap) await insertParticipantEvent(tx, { participantId: locked.id, ...gap });
  await noteReturn(tx, locked.id, now);
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
  const before = await findLatestReplaced(tx, session.userId, quiz.id);
  const id = newId();
  const begun =
    before?.replacedHow === 'reinstate'
      ? await takeUpAgain(tx, before, now)
      : await beginAnew(tx, quiz, extraTimeFactor, now);
  await insertParticipant(tx, {
    id,
    invitationId: session.invitationId,
    userId: session.userId,
    quizId: quiz.id,
    attempt: (before?.attempt ?? 0) + 1,
    replacedAt: null,
    replacedHow: null,
    status: 'in_progress',
    policyVersion: begun.policyVersion,
    totalMarks: begun.paper.length,
    startedAt: now,
    ...begun.due,
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
    isPhone: details.isPhone,
    consentTextVersion: details.consentTextVersion,
    consentAt: details.consentTextVersion === null ? null : now,
    consentAddress: details.consentTextVersion === null ? null : details.address,
    deviceCheck: details.deviceCheck,
    note: '',
    messageCount: 0,
  });
  await insertPaper(tx, id, begun.paper);
  await writeAnswers(tx, id, begun.answers, now);
  await setSessionExpiry(tx, session.id, expiryOf(begun.due.closeAt));
  await insertParticipantEvent(tx, { participantId: id, kind: 'started', at: now });
}

/** What an attempt begins with. */
interface Beginning {
  policyVersion: number;
  paper: PaperPosition[];
  due: DueTime;
  answers: { questionId: string; optionId: number | null; isFlagged: boolean; revision: number }[];
}

/** A new paper and the full time. */
async function beginAnew(
  tx: Tx,
  quiz: QuizRow,
  extraTimeFactor: number,
  now: Date,
): Promise<Beginning> {
  const questions = (await listQuestions(tx, quiz.id)).map(({ version }) => ({
    questionId: version.questionId,
    version: version.version,
    optionIds: version.optionIds,
  }));
  if (questions.length === 0) throw new AppError('NO_QUESTIONS');
  const { duration, endDate, finishAfterEnd } = quiz;
  return {
    policyVersion: quiz.policyVersion,
    paper: drawPaper(questions, quiz.totalQuestions, randomBytes(16).toString('hex')),
    due: dueTimeAtStart(now, duration, extraTimeFactor, endDate, finishAfterEnd),
    answers: [],
  };
}

/** A reinstated attempt: the same paper, answers and flags, and the time that was left. */
async function takeUpAgain(tx: Tx, before: ParticipantView, now: Date): Promise<Beginning> {
  const leftMs = Math.max(
    0,
    before.deadlineAt.getTime() - (before.submittedAt ?? before.deadlineAt).getTime(),
  );
  const deadlineAt = new Date(now.getTime() + leftMs);
  const paper = await getPaper(tx, before.id);
  return {
    policyVersion: before.policyVersion,
    paper: paper.map((row) => ({
      position: row.position,
      questionId: row.questionId,
      version: row.questionVersion,
      optionOrder: row.optionOrder,
    })),
    due: {
      deadlineAt,
      closeAt: new Date(deadlineAt.getTime() + ATTEMPT_LIMITS.graceMs),
      closeReason: 'auto',
    },
    answers: await listAnswers(tx, before.id),
  };
}

function expiryOf(closeAt: Date): Date {
  return new Date(closeAt.getTime() + SESSION_LIMITS.candidateAfterDeadlineMs);
}
