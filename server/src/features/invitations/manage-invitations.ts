import type { Invitation, InvitationResult } from '@invigil/core/contract/invitations';
import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import { inTransaction, type Tx } from '../../db/database.ts';
import { renderInvitation } from '../../mail/invitation-message.ts';
import { recordAudit } from '../audit/queries.ts';
import { lockInvitation } from '../auth/queries.ts';
import { endSessionsOfRevoked } from '../auth/session-queries.ts';
import { findCurrentParticipant } from '../participants/queries.ts';
import { isQuizOpen } from '../quizzes/present.ts';
import { findQuiz, lockQuiz } from '../quizzes/queries.ts';
import { sealForPerson } from '../users/person-key.ts';
import { findInvitation, listInvitedPeople, pageInvitations } from './list-queries.ts';
import { presentInvitation } from './present.ts';
import {
  cancelWaitingMessages,
  type InvitationRow,
  listCurrentStatuses,
  lockInvitations,
  revokeCodes,
  setAccommodations,
  setRevoked,
} from './queries.ts';
import { invitationVariables, type Recipient, sendCodes, type Wording } from './send-codes.ts';

/** Stands where the code will stand in a preview; it opens nothing. */
const NO_CODE = 'XXXXXXXXXXXXXXX';

/** A page of the invitations of a quiz and the number of all. Throws NOT_FOUND. */
export async function listInvitations(
  ctx: AppContext,
  quizId: string,
  search: string | undefined,
  page: { limit: number; offset: number },
): Promise<{ rows: Invitation[]; total: number }> {
  if (!(await findQuiz(ctx.db, quizId))) throw new AppError('NOT_FOUND');
  const { rows, total } = await pageInvitations(ctx.db, quizId, search, page);
  return { rows: rows.map(presentInvitation), total };
}

/** The message as it will be sent, without a real code. Throws NOT_FOUND. */
export async function previewInvitation(ctx: AppContext, quizId: string, wording: Wording) {
  const quiz = await findQuiz(ctx.db, quizId);
  if (!quiz || quiz.archivedAt !== null) throw new AppError('NOT_FOUND');
  return renderInvitation(invitationVariables(ctx, quiz, 1, wording), NO_CODE);
}

/**
 * Sends again to chosen people. Somebody in progress keeps the earlier code beside the new one;
 * somebody who has finished gets nothing. Throws NOT_FOUND, QUIZ_NOT_OPEN.
 */
export async function resendInvitations(
  ctx: AppContext,
  adminId: string,
  quizId: string,
  ids: string[],
  wording: Wording,
  now: Date,
): Promise<InvitationResult[]> {
  return inTransaction(ctx.db, async (tx, afterCommit) => {
    const quiz = await lockQuiz(tx, quizId, 'share');
    if (!quiz) throw new AppError('NOT_FOUND');
    const invitations = await lockAll(tx, quizId, ids);
    const people = new Map((await listInvitedPeople(tx, quizId, ids)).map((p) => [p.id, p]));
    const statuses = await listCurrentStatuses(
      tx,
      quizId,
      invitations.map((i) => i.userId),
    );
    const fresh: Recipient[] = [];
    const running: Recipient[] = [];
    const results = invitations.map((invitation): InvitationResult => {
      const email = people.get(invitation.id)?.email ?? null;
      const status = statuses.get(invitation.userId);
      if (email === null) {
        return { email: 'Unknown', id: invitation.id, status: 'invalid', reason: 'Was erased' };
      }
      if (status !== undefined && status !== 'in_progress') {
        const reason = 'Has already completed the assessment';
        return { email, id: invitation.id, status: 'already_completed', reason };
      }
      (status === undefined ? fresh : running).push({ email, invitation });
      return { email, id: invitation.id, status: 'queued' };
    });
    if (fresh.length > 0 && !isQuizOpen(quiz, now)) throw new AppError('QUIZ_NOT_OPEN');
    await sendCodes(tx, ctx, quiz, fresh, { wording, keepEarlierCodes: false }, now);
    await sendCodes(tx, ctx, quiz, running, { wording, keepEarlierCodes: true }, now);
    await recordAudit(tx, {
      adminId,
      action: 'invitations.resent',
      subject: { type: 'quiz', id: quizId },
      details: { queued: fresh.length + running.length },
      at: now,
    });
    afterCommit(() => ctx.wakeMail());
    return results;
  });
}

/**
 * Takes invitations back: codes fail at once, waiting mail is not sent, and whoever has signed in and
 * not started is signed out. Attempts that were started go on. Throws NOT_FOUND.
 */
export async function revokeInvitations(
  ctx: AppContext,
  adminId: string,
  quizId: string,
  ids: string[],
  now: Date,
): Promise<number> {
  if (!(await findQuiz(ctx.db, quizId))) throw new AppError('NOT_FOUND');
  return inTransaction(ctx.db, async (tx) => {
    const locked = (await lockAll(tx, quizId, ids)).filter((i) => i.revokedAt === null);
    const own = locked.map((invitation) => invitation.id);
    if (own.length === 0) return 0;
    await setRevoked(tx, own, now);
    await revokeCodes(tx, own, now);
    await cancelWaitingMessages(tx, own, 'The invitation was taken back');
    const people = locked.map((invitation) => invitation.userId);
    const started = await listCurrentStatuses(tx, quizId, people);
    const waiting = locked.filter((invitation) => !started.has(invitation.userId));
    await endSessionsOfRevoked(
      tx,
      waiting.map((invitation) => invitation.id),
      now,
    );
    await recordAudit(tx, {
      adminId,
      action: 'invitations.revoked',
      subject: { type: 'quiz', id: quizId },
      details: { count: own.length },
      at: now,
    });
    return own.length;
  });
}

/**
 * Locks chosen invitations and returns them in the order of their ids as given. One that is unknown,
 * or another assessment's, refuses the whole call: nothing is half done. Throws NOT_FOUND.
 */
async function lockAll(tx: Tx, quizId: string, ids: string[]): Promise<InvitationRow[]> {
  const found = new Map((await lockInvitations(tx, quizId, ids)).map((row) => [row.id, row]));
  return [...new Set(ids)].map((id) => {
    const row = found.get(id);
    if (!row) throw new AppError('NOT_FOUND');
    return row;
  });
}

/** Extra time and sensor switches, before the start. Throws NOT_FOUND, ALREADY_STARTED. */
export async function changeAccommodations(
  ctx: AppContext,
  adminId: string,
  id: string,
  change: {
    extraTimeFactor: number;
    cameraEnabled: boolean;
    microphoneEnabled: boolean;
    reason: string;
  },
  now: Date,
): Promise<Invitation> {
  const { reason, ...accommodations } = change;
  await inTransaction(ctx.db, async (tx) => {
    // The lock that a start takes too: nobody starts between this look and the change.
    const invitation = await lockInvitation(tx, id);
    if (!invitation) throw new AppError('NOT_FOUND');
    if (await findCurrentParticipant(tx, invitation.userId, invitation.quizId)) {
      throw new AppError('ALREADY_STARTED');
    }
    await setAccommodations(tx, id, accommodations);
    await recordAudit(tx, {
      adminId,
      action: 'invitation.accommodated',
      subject: { type: 'invitation', id },
      details: {
        ...accommodations,
        reason: await sealForPerson(tx, ctx, invitation.userId, reason),
      },
      at: now,
    });
  });
  const row = await findInvitation(ctx.db, id);
  if (!row) throw new AppError('NOT_FOUND');
  return presentInvitation(row);
}
