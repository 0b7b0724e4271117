import { acceptsSaves, isPaused, pausedTo, remainingMs } from '@invigil/core/domain/attempt';
import { t } from '@invigil/core/texts/i18n';
import type { BaseContext } from '../../app-context.ts';
import type { Tx } from '../../db/database.ts';
import type { ParticipantView } from '../../db/queries/attempts/attempts.ts';
import { setPause } from '../../db/queries/attempts/ends.ts';
import { insertParticipantEvent } from '../../db/queries/attempts/events.ts';
import { setSessionExpiry } from '../../db/queries/session-changes.ts';
import type { ParticipantSession } from '../../db/queries/sessions.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import { closed, lockOwn, requireAttempt } from './own-attempt.ts';
import { presentOwnParticipant } from './present.ts';
import { expiryOf } from './start-and-end/begin-attempts.ts';

/** The error for an attempt that ends within seconds, whatever is done to its time. */
export function aboutToEnd(): AppError {
  const message = t('server.attempt.aboutToEnd', 'This attempt is about to end');
  return new AppError('NOT_RUNNING', { message });
}

/**
 * Stops the clock of a running attempt, which this transaction has locked, until a moment; until now: it goes
 * on. A break that this ends, or that a pause takes the place of, gives back what was not used of it. Throws
 * NOT_RUNNING.
 *
 * @param reason as the candidate reads it; null: a break
 * @param breaks that are left when a break begins
 */
export async function stopClock(
  tx: Tx,
  attempt: ParticipantView,
  { until, now }: { until: Date; now: Date },
  reason: string | null,
  breaks?: Pick<ParticipantView, 'breaksLeft' | 'breakMsLeft'>,
): Promise<void> {
  const paused = pausedTo(attempt, until, now);
  if (paused === null) throw aboutToEnd();
  const { pausedUntil, pauseReason, breaksLeft, breakMsLeft } = attempt;
  const isBreak = pausedUntil !== null && pauseReason === null;
  const unusedMs = isBreak ? remainingMs(pausedUntil, now) : 0;
  await setPause(tx, attempt.id, {
    ...paused,
    pauseReason: reason,
    ...(breaks ?? { breaksLeft, breakMsLeft: breakMsLeft + unusedMs }),
  });
  if (attempt.sessionId !== null) {
    await setSessionExpiry(tx, [attempt.sessionId], expiryOf(paused.closeAt));
  }
}

/**
 * Begins a break of the candidate, which lasts as long as their breaks have minutes, or ends it; the same
 * again changes nothing. No stream is notified: the board reads its rows once a second, and the page has this
 * answer.
 *
 * Throws NOT_FOUND, SESSION_REPLACED, ATTEMPT_CLOSED, NO_BREAK_LEFT, NOT_RUNNING.
 */
function takeBreak(
  ctx: BaseContext,
  session: ParticipantSession,
  participantId: string,
  onBreak: boolean,
  now: Date,
): Promise<ParticipantView> {
  return inTransaction(ctx.db, async (tx) => {
    const attempt = await lockOwn(tx, session, participantId);
    if (attempt.sessionId !== session.id) throw new AppError('SESSION_REPLACED');
    if (!acceptsSaves(attempt.status, attempt.closeAt, now)) throw closed(attempt);
    // A pause is an invigilator's, and ends when they say so.
    if (isPaused(attempt, now) && attempt.pauseReason !== null) return attempt;
    if (isPaused(attempt, now) === onBreak) return attempt;
    const { breaksLeft, breakMsLeft } = attempt;
    if (!onBreak) await stopClock(tx, attempt, { until: now, now }, null);
    else {
      if (breaksLeft === 0 || breakMsLeft === 0) throw new AppError('NO_BREAK_LEFT');
      const until = new Date(now.getTime() + breakMsLeft);
      const left = { breaksLeft: breaksLeft - 1, breakMsLeft: 0 };
      await stopClock(tx, attempt, { until, now }, null, left);
    }
    const kind = onBreak ? 'break_began' : 'break_ended';
    await insertParticipantEvent(tx, { participantId, kind, at: now });
    return requireAttempt(tx, participantId);
  });
}

export function breakHandlers(ctx: BaseContext) {
  return {
    async takeBreak({ params, body, session, now }) {
      const attempt = await takeBreak(ctx, session, params.id, body.onBreak, now);
      return presentOwnParticipant(attempt, now);
    },
  } satisfies Handlers;
}
