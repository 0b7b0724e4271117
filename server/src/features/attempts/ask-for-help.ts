import { acceptsSaves } from '@invigil/core/domain/attempt';
import type { BaseContext } from '../../app-context.ts';
import type { Tx } from '../../db/database.ts';
import { setHelp } from '../../db/queries/attempts/changes.ts';
import { insertParticipantEvent, insertRepeatedEvent } from '../../db/queries/attempts/events.ts';
import type { ParticipantSession } from '../../db/queries/sessions.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import { closed, lockOwn } from './own-attempt.ts';

/**
 * Raises the hand of a candidate, or puts it down; the same again changes nothing. No stream is notified: the
 * board reads its rows once a second, and the page has this answer.
 *
 * Throws NOT_FOUND, SESSION_REPLACED, ATTEMPT_CLOSED.
 */
function askForHelp(
  ctx: BaseContext,
  session: ParticipantSession,
  participantId: string,
  handUp: boolean,
  now: Date,
): Promise<void> {
  return inTransaction(ctx.db, async (tx) => {
    const attempt = await lockOwn(tx, session, participantId);
    if (attempt.sessionId !== session.id) throw new AppError('SESSION_REPLACED');
    if (!acceptsSaves(attempt.status, attempt.closeAt, now)) throw closed(attempt);
    if ((attempt.helpAt !== null) === handUp) return;
    await setHelp(tx, participantId, handUp ? now : null);
    const kind = handUp ? 'help_asked' : 'help_withdrawn';
    await insertRepeatedEvent(tx, 'hands', { participantId, kind, at: now });
  });
}

/** Puts down a hand because somebody answered; this transaction has locked the attempt. */
export async function answerHelp(tx: Tx, participantId: string, now: Date): Promise<void> {
  await setHelp(tx, participantId, null);
  await insertParticipantEvent(tx, { participantId, kind: 'help_answered', at: now });
}

export function helpHandlers(ctx: BaseContext) {
  return {
    async askForHelp({ params, body, session, now }) {
      await askForHelp(ctx, session, params.id, body.handUp, now);
      return { handUp: body.handUp };
    },
  } satisfies Handlers;
}
