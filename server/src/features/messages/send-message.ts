import { acceptsSaves } from '@invigil/core/domain/attempt';
import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import { inTransaction } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import { recordAudit } from '../audit/queries.ts';
import { tellAttempts } from '../live/queries.ts';
import {
  findParticipant,
  insertParticipantEvent,
  lockParticipant,
} from '../participants/queries.ts';
import { sealForPerson } from '../users/person-key.ts';
import { insertMessage, type MessageRow } from './queries.ts';

/** Says something to a candidate who is writing. Throws NOT_FOUND, NOT_RUNNING. */
export function sendMessage(
  ctx: AppContext,
  participantId: string,
  text: string,
  adminId: string,
  now: Date,
  reason?: string,
): Promise<MessageRow> {
  return inTransaction(ctx.db, async (tx) => {
    await lockParticipant(tx, participantId);
    const attempt = await findParticipant(tx, participantId);
    if (!attempt) throw new AppError('NOT_FOUND');
    if (!acceptsSaves(attempt.status, attempt.closeAt, now)) throw new AppError('NOT_RUNNING');
    const row = { id: newId(), participantId, text, at: now };
    await insertMessage(tx, row);
    await insertParticipantEvent(tx, { participantId, kind: 'message', at: now });
    const why = reason && { reason: await sealForPerson(tx, ctx, attempt.userId, reason) };
    await recordAudit(tx, {
      adminId,
      action: 'participant.messaged',
      subject: { type: 'participant', id: participantId },
      details: { message: row.id, ...(why || {}) },
      at: now,
    });
    await tellAttempts(tx, [participantId]);
    return row;
  });
}
