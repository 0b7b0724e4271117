import { endOf } from '@invigil/core/domain/attempt';
import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import type { BaseContext } from '../../../app-context.ts';
import type { Tx } from '../../../db/database.ts';
import type { ParticipantView } from '../../../db/queries/attempts/attempts.ts';
import { endParticipants } from '../../../db/queries/attempts/ends.ts';
import { insertParticipantEvents } from '../../../db/queries/attempts/events.ts';
import { setSessionExpiries } from '../../../db/queries/session-changes.ts';
import { newReceiptId } from '../../../security/receipts.ts';
import { resultFields } from '../../../trust/sealed-fields.ts';
import { RESULTS, sealOf } from '../../../trust/sealed-kinds.ts';
import { queueReceipts } from '../receipts.ts';
import { scoreAttempts } from '../score-attempts.ts';
import type { Ended } from './begin-attempts.ts';
import { settleCounting } from './retakes.ts';

export interface Closing {
  attempt: ParticipantView;
  /** `manual` or `auto` for a submit, `due` for the attempt's own close reason. */
  how: 'manual' | 'auto' | 'due';
  /** Seconds of each question in view, sent by a submit. */
  focused?: readonly number[] | undefined;
  now: Date;
}

/**
 * The only end of an attempt, whatever causes it (I4): scores the stored answers and ends the row, with
 * one event. This transaction must have locked the attempts, and they must be in progress. Scoring is in
 * the same transaction, so an ended row always has its score and never changes again.
 *
 * @returns the ended attempts with their answers, by id
 */
export async function closeParticipants(
  tx: Tx,
  ctx: Pick<BaseContext, 'config' | 'keys' | 'trust'>,
  closings: readonly Closing[],
): Promise<ReadonlyMap<string, Ended>> {
  if (closings.length === 0) return new Map();
  const scoreOf = await scoreAttempts(
    tx,
    ctx,
    closings.map(({ attempt }) => attempt),
  );
  const ended = closings.map(({ attempt, how, focused, now }) => {
    const { keys, answers, ...score } = scoreOf(attempt.id);
    const end = {
      ...attempt,
      ...endOf(attempt, how === 'due' ? attempt.closeReason : how, now),
      ...score,
      answered: score.answeredCount,
      receiptId: newReceiptId(),
    };
    const fields = resultFields(end, keys, answers);
    const resultSeal = sealOf(ctx.keys.integrity, RESULTS, attempt.id, fields);
    return { attempt: { ...end, resultSeal, lastFocused: focused }, answers, now };
  });
  await endParticipants(
    tx,
    ended.map(({ attempt }) => attempt),
  );
  await insertParticipantEvents(
    tx,
    ended.map(({ attempt, now }) => ({
      participantId: attempt.id,
      kind: 'ended',
      at: now,
      details: { submissionType: attempt.submissionType },
    })),
  );
  const again = closings.filter(({ attempt }) => attempt.attempt > 1);
  const [first] = again;
  if (first) {
    const takers = again.map(({ attempt }) => attempt);
    await settleCounting(tx, ctx, takers, first.now);
  }
  await queueReceipts(tx, ctx, new Map(closings.map(({ attempt, now }) => [attempt.id, now])));
  // The session outlives the attempt: for the thank-you screen, feedback, a late reload.
  await setSessionExpiries(
    tx,
    closings.flatMap(({ attempt: { sessionId }, now }) =>
      sessionId === null
        ? []
        : [
            {
              id: sessionId,
              expiresAt: new Date(now.getTime() + SESSION_LIMITS.candidateAfterEndMs),
            },
          ],
    ),
  );
  return new Map(ended.map((one) => [one.attempt.id, one]));
}
