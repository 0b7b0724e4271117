import { endOf } from '@invigil/core/domain/attempt';
import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import type { AppContext } from '../../app-context.ts';
import type { Tx } from '../../db/database.ts';
import { newReceiptId } from '../../security/receipts.ts';
import { setSessionExpiry } from '../auth/session-queries.ts';
import { queueReceipts } from '../receipts/queue-receipts.ts';
import {
  endParticipants,
  insertParticipantEvents,
  type ParticipantEnd,
  type ParticipantView,
} from './queries.ts';
import { scoreAttempts } from './score-attempts.ts';

/**
 * THE end of an attempt, by whatever way it comes (I4): scores the stored answers and ends the row,
 * with one event. The attempts must be locked by this transaction and in progress. Scoring belongs
 * to the same transaction, so an ended row is never seen without its score and never changes again.
 *
 * @param how `manual` or `auto` for a submit, `due` for each attempt's own close reason
 */
export async function closeParticipants(
  tx: Tx,
  ctx: Pick<AppContext, 'config'>,
  attempts: readonly ParticipantView[],
  how: 'manual' | 'auto' | 'due',
  now: Date,
): Promise<void> {
  if (attempts.length === 0) return;
  const ids = attempts.map((p) => p.id);
  const scoreOf = await scoreAttempts(tx, ids);
  const ends = attempts.map(
    (p): ParticipantEnd => ({
      id: p.id,
      ...endOf(p, how === 'due' ? p.closeReason : how, now),
      ...scoreOf(p.id),
      receiptId: newReceiptId(),
    }),
  );
  await endParticipants(tx, ends);
  await insertParticipantEvents(
    tx,
    ends.map((end) => ({
      participantId: end.id,
      kind: 'ended',
      at: now,
      details: { submissionType: end.submissionType },
    })),
  );
  await queueReceipts(tx, ctx, ids, now);
  for (const p of attempts) {
    // The session outlives the attempt by a little: thank-you screen, feedback, a late reload.
    const expiresAt = new Date(now.getTime() + SESSION_LIMITS.candidateAfterEndMs);
    if (p.sessionId !== null) await setSessionExpiry(tx, p.sessionId, expiresAt);
  }
}
