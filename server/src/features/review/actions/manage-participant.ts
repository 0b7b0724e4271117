import { isDeepStrictEqual } from 'node:util';
import type { ParsedBodyOf } from '@invigil/core/contract/definition/endpoint';
import type { giveVerdict } from '@invigil/core/contract/review/participant-record';
import { acceptsSaves, dueTimeAfter, dueTimeExtended } from '@invigil/core/domain/attempt';
import type { BaseContext } from '../../../app-context.ts';
import { inTransaction, type Tx } from '../../../db/database.ts';
import { findParticipant, type ParticipantView } from '../../../db/queries/attempts/attempts.ts';
import { setNote, setVerdict } from '../../../db/queries/attempts/changes.ts';
import { setDueTime, setReplaced } from '../../../db/queries/attempts/ends.ts';
import { insertParticipantEvent } from '../../../db/queries/attempts/events.ts';
import { lockParticipant } from '../../../db/queries/attempts/locks.ts';
import { notifyAttempts, recordAction } from '../../../db/queries/attempts/news.ts';
import { findUser } from '../../../db/queries/people.ts';
import { lockQuiz, type QuizRow } from '../../../db/queries/quizzes.ts';
import { setSessionExpiry } from '../../../db/queries/session-changes.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { sealForPerson } from '../../../security/person-key.ts';
import { requireSame } from '../../../sessions/guards.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';
import { changeSealed, RESULTS } from '../../../trust/sealed-kinds.ts';
import { isQuizOpen } from '../../assessments/quizzes/present.ts';
import { expiryOf } from '../../attempts/start-and-end/begin-attempts.ts';
import { getListed } from '../participants/find-participants.ts';

/** Who acts, and why; both go into the audit log. */
export interface Action {
  /** Idempotency key of a bulk action: an attempt that already had it stays as it is. */
  id?: string;
  adminId: string;
  reason: string;
  now: Date;
}

/** Extends an attempt in progress (I2: the only way a deadline moves). Throws NOT_RUNNING. */
export async function extendParticipant(
  ctx: BaseContext,
  id: string,
  minutes: number,
  action: Action,
) {
  await changeRunning(ctx, id, action, async (tx, attempt) => {
    const due = dueTimeExtended(attempt, minutes, action.now);
    if (!due) throw new AppError('NOT_RUNNING', { message: 'This attempt is about to end' });
    await setDueTime(tx, id, due);
    if (attempt.sessionId !== null) {
      const expiresAt = expiryOf(due.closeAt);
      await setSessionExpiry(tx, [attempt.sessionId], expiresAt);
    }
    await insertParticipantEvent(tx, {
      participantId: id,
      kind: 'extended',
      at: action.now,
      details: { minutes },
    });
    await audit(ctx, tx, 'participant.extended', attempt, action, { minutes });
  });
}

/**
 * Ends an attempt in ten seconds, so that the browser can send its pending changes. Throws
 * NOT_RUNNING.
 */
export async function endParticipant(ctx: BaseContext, id: string, action: Action) {
  await changeRunning(ctx, id, action, async (tx, attempt) => {
    const due = dueTimeAfter(attempt, 'database', action.now);
    // Already due earlier, or already being ended: the attempt does not change (I4).
    if (due.closeAt >= attempt.closeAt) return;
    await setDueTime(tx, id, due);
    await insertParticipantEvent(tx, { participantId: id, kind: 'ending', at: action.now });
    await audit(ctx, tx, 'participant.ended', attempt, action);
  });
}

/**
 * "Allow another attempt" and "Reinstate": marks the ended row; the next attempt is created when
 * the candidate next enters (product 4.2). Refused where no next attempt is possible: the result
 * would leave lists and reports, and no later record would lead to it. A revoked invitation is
 * resent only afterwards: someone who has completed the assessment is sent none.
 *
 * Throws NOT_FOUND, STILL_RUNNING, ALREADY_REPLACED, PERSON_ERASED, QUIZ_NOT_OPEN.
 *
 * @param minutes of `reinstate`: added to the time that was left
 */
export async function replaceParticipant(
  ctx: BaseContext,
  id: string,
  { how, minutes }: { how: 'another' | 'reinstate'; minutes?: number | undefined },
  action: Action,
) {
  const added = (how === 'reinstate' && minutes) || null;
  const details = added === null ? {} : { minutes: added };
  await inTransaction(ctx.db, async (tx) => {
    // Keeps the quiz from being closed until commit. Locked before the attempt: while someone edits
    // the quiz, only this call waits, not the candidate's.
    const quiz = await lockQuiz(tx, (await getAttempt(tx, id)).quizId, 'share');
    await lockParticipant(tx, id);
    const attempt = await getAttempt(tx, id);
    if (attempt.status === 'in_progress') throw new AppError('STILL_RUNNING');
    if (attempt.replacedAt !== null) throw new AppError('ALREADY_REPLACED');
    // No race with an erasure: it locks all attempts of the person first.
    if ((await findUser(tx, attempt.userId))?.email == null) throw new AppError('PERSON_ERASED');
    requireOpen(quiz, action.now);
    await changeSealed(tx, ctx.keys.integrity, RESULTS, [id], () =>
      setReplaced(tx, id, how, added, action.now),
    );
    await insertParticipantEvent(tx, {
      participantId: id,
      kind: 'replaced',
      at: action.now,
      details: { how, ...details },
    });
    const name = how === 'another' ? 'participant.another_attempt' : 'participant.reinstated';
    await audit(ctx, tx, name, attempt, action, details);
  });
}

/**
 * Stores the note of an attempt. Throws NOT_FOUND; STALE with the stored note in its details.
 *
 * @param change `from`: the note that was edited (optimistic lock); without it the last write wins
 */
export async function noteParticipant(
  ctx: BaseContext,
  id: string,
  change: { note: string; from?: string | undefined },
  adminId: string,
  now: Date,
) {
  const { note, from } = change;
  await inTransaction(ctx.db, async (tx) => {
    await lockParticipant(tx, id);
    const { note: stored } = await getAttempt(tx, id);
    // A repeated request, or the same text from both: nothing is lost.
    if (from !== undefined && stored !== from && stored !== note) {
      throw new AppError('STALE', { details: { note: stored } });
    }
    await setNote(tx, id, note);
    await recordAudit(tx, now, adminId, 'participant.noted', ['participant', id], {
      characters: note.length,
    });
  });
}

async function changeRunning(
  ctx: BaseContext,
  id: string,
  { id: actionId, now }: Action,
  change: (tx: Tx, attempt: ParticipantView) => Promise<void>,
) {
  await inTransaction(ctx.db, async (tx) => {
    await lockParticipant(tx, id);
    const attempt = await getAttempt(tx, id);
    if (actionId !== undefined && !(await recordAction(tx, actionId, id, now))) return;
    if (!acceptsSaves(attempt.status, attempt.closeAt, now)) throw new AppError('NOT_RUNNING');
    await change(tx, attempt);
    await notifyAttempts(tx, [id]);
  });
}

/** @param quiz `undefined`: archived */
function requireOpen(quiz: QuizRow | undefined, now: Date): void {
  const refusal = (message: string) => new AppError('QUIZ_NOT_OPEN', { message });
  if (!quiz) throw refusal('This assessment was deleted, so there can be no further attempt');
  if (!quiz.isActive) throw refusal('This assessment is inactive. Activate it first');
  if (isQuizOpen(quiz, now)) return;
  throw refusal('The end date of this assessment has passed. Move it first');
}

async function getAttempt(tx: Tx, id: string): Promise<ParticipantView> {
  const attempt = await findParticipant(tx, id);
  if (!attempt) throw new AppError('NOT_FOUND');
  return attempt;
}

/** The reason may contain personal data, so it is sealed with the person's key (product 9). */
async function audit(
  ctx: BaseContext,
  tx: Tx,
  name: string,
  attempt: ParticipantView,
  action: Action,
  details: object = {},
) {
  await recordAudit(tx, action.now, action.adminId, name, ['participant', attempt.id], {
    reason: await sealForPerson(tx, ctx, attempt.userId, action.reason),
    ...details,
  });
}

export function actionHandlers(ctx: BaseContext) {
  return {
    async extendParticipant({ params, body, session, sees, now }) {
      const action = { adminId: session.adminId, reason: body.reason, now };
      await extendParticipant(ctx, params.id, body.minutes, action);
      return await getListed(ctx, sees, params.id, now);
    },

    async endParticipant({ params, body, session, sees, now }) {
      await endParticipant(ctx, params.id, { adminId: session.adminId, reason: body.reason, now });
      return await getListed(ctx, sees, params.id, now);
    },

    async replaceParticipant({ params, body, session, sees, now }) {
      const action = { adminId: session.adminId, reason: body.reason, now };
      await replaceParticipant(ctx, params.id, body, action);
      return await getListed(ctx, sees, params.id, now);
    },

    async giveVerdict({ params, body, session, now }) {
      const given = { ...body, adminId: session.adminId, now };
      await recordVerdict(ctx, params.id, given);
      return {
        verdict: body.verdict,
        note: body.note,
        at: now.toISOString(),
        adminEmail: session.email,
      };
    },

    async noteParticipant({ params, body, session, now }) {
      await noteParticipant(ctx, params.id, body, session.adminId, now);
      return { note: body.note };
    },
  } satisfies Handlers;
}

/**
 * Records a reviewer's verdict on an ended attempt. The latest one counts; each is in the audit
 * log, its note sealed with the person's key. Throws NOT_FOUND, STILL_RUNNING,
 * and STALE for another verdict than `before`.
 */
export async function recordVerdict(
  ctx: BaseContext,
  id: string,
  given: ParsedBodyOf<typeof giveVerdict> & { adminId: string; now: Date },
): Promise<void> {
  const { verdict, note, before, adminId, now } = given;
  await inTransaction(ctx.db, async (tx) => {
    await lockParticipant(tx, id);
    const attempt = await findParticipant(tx, id);
    if (!attempt) throw new AppError('NOT_FOUND');
    if (attempt.status === 'in_progress') throw new AppError('STILL_RUNNING');
    const stored = attempt.verdict && { verdict: attempt.verdict, note: attempt.verdictNote ?? '' };
    // A repeated request, or the same one from both: nothing is lost.
    if (!isDeepStrictEqual(stored, { verdict, note })) requireSame(before, stored);
    const change = { verdict, verdictNote: note, verdictAt: now, verdictBy: adminId };
    await changeSealed(tx, ctx.keys.integrity, RESULTS, [id], () => setVerdict(tx, id, change));
    const reason = note === '' ? null : await sealForPerson(tx, ctx, attempt.userId, note);
    await recordAudit(tx, now, adminId, 'participant.verdict_recorded', ['participant', id], {
      verdict,
      before: attempt.verdict,
      ...(reason ? { reason } : {}),
    });
  });
}
