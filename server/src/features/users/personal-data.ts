import { Readable } from 'node:stream';
import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import { inTransaction } from '../../db/database.ts';
import { recordAudit } from '../audit/queries.ts';
import { deleteEvidenceOf } from '../evidence/delete-evidence.ts';
import { listAttempts } from '../participants/list-queries.ts';
import { readRecord } from '../participants/read-record.ts';
import {
  erasePersonalData,
  findUser,
  isTakingATest,
  listInvitationsOf,
  lockAllOf,
  lockUser,
} from './queries.ts';

/** Everything kept about a person, as one JSON document. Audited. Throws NOT_FOUND. */
export async function exportPerson(
  ctx: AppContext,
  adminId: string,
  userId: string,
  now: Date,
): Promise<Readable> {
  const user = await findUser(ctx.db, userId);
  if (!user) throw new AppError('NOT_FOUND');
  const invitations = await listInvitationsOf(ctx.db, userId);
  const attempts = await listAttempts(ctx.db, userId);
  const records = [];
  for (const { id } of attempts) records.push(await readRecord(ctx, id, now));
  await recordAudit(ctx.db, {
    adminId,
    action: 'person.exported',
    subject: { type: 'user', id: userId },
    at: now,
  });
  const document = {
    exportedAt: now.toISOString(),
    person: { id: user.id, email: user.email, knownSince: user.createdAt.toISOString() },
    invitations: invitations.map((invitation) => ({
      id: invitation.id,
      quizId: invitation.quizId,
      invitedAt: invitation.lastInvitedAt.toISOString(),
      firstSignInAt: invitation.firstSignInAt?.toISOString() ?? null,
      extraTimeFactor: invitation.extraTimeFactor,
    })),
    attempts: records,
  };
  return Readable.from([`${JSON.stringify(document, null, 2)}\n`]);
}

/**
 * Erases what identifies a person. The e-mail then reads 'Unknown'; results stay (product 9).
 * Throws NOT_FOUND, STILL_RUNNING.
 */
export async function erasePerson(
  ctx: AppContext,
  adminId: string,
  userId: string,
  reason: string,
  now: Date,
): Promise<void> {
  await inTransaction(ctx.db, async (tx, afterCommit) => {
    await lockAllOf(tx, userId);
    if (!(await lockUser(tx, userId))) throw new AppError('NOT_FOUND');
    if (await isTakingATest(tx, userId)) throw new AppError('STILL_RUNNING');
    await erasePersonalData(tx, userId, now);
    await deleteEvidenceOf(ctx, tx, userId, now, afterCommit);
    await recordAudit(tx, {
      adminId,
      action: 'person.erased',
      subject: { type: 'user', id: userId },
      // The one reason that stays readable: its key would go with the person's.
      details: { reason },
      at: now,
    });
  });
}
