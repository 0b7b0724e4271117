import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import type { BaseContext } from '../../app-context.ts';
import { findCurrentParticipant } from '../../db/queries/attempts/attempts.ts';
import { holdParticipant } from '../../db/queries/attempts/evidence.ts';
import { type FeedbackRow, insertFeedback } from '../../db/queries/attempts/feedback.ts';
import type { ParticipantSession } from '../../db/queries/sessions.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import { requireLive } from '../../sessions/guards.ts';

/**
 * Stores the only feedback of an attempt, within ten minutes after its end (I25). Throws NOT_FOUND,
 * FEEDBACK_CLOSED, FEEDBACK_GIVEN, NOT_SIGNED_IN, SESSION_REPLACED.
 */
async function giveFeedback(
  ctx: BaseContext,
  session: ParticipantSession,
  feedback: Omit<FeedbackRow, 'createdAt'>,
  now: Date,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    // Against a concurrent erasure of the person, which locks every attempt.
    await holdParticipant(tx, feedback.participantId);
    const attempt = await findCurrentParticipant(tx, session.userId, session.quizId);
    if (attempt?.id !== feedback.participantId) throw new AppError('NOT_FOUND');
    await requireLive(tx, session.id, now);
    const sinceEnd = attempt.submittedAt ? now.getTime() - attempt.submittedAt.getTime() : -1;
    if (sinceEnd < 0 || sinceEnd > ATTEMPT_LIMITS.feedbackWindowMs)
      throw new AppError('FEEDBACK_CLOSED');
    const isFirst = await insertFeedback(tx, { ...feedback, createdAt: now });
    if (!isFirst) throw new AppError('FEEDBACK_GIVEN');
  });
}

export function feedbackHandlers(ctx: BaseContext) {
  return {
    async giveFeedback({ body, session, now }) {
      const { participantId, emoji, text, skipped = false } = body;
      const feedback = { participantId, emoji, text: text || null, skipped };
      await giveFeedback(ctx, session, feedback, now);
      return feedback;
    },
  } satisfies Handlers;
}
