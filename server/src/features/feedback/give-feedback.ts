import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import type { ParticipantSession } from '../auth/session-queries.ts';
import { findCurrentParticipant } from '../participants/queries.ts';
import { type FeedbackRow, insertFeedback } from './queries.ts';

/**
 * Takes the one feedback of an attempt, within ten minutes after its end (I25). Throws NOT_FOUND,
 * FEEDBACK_CLOSED, FEEDBACK_GIVEN.
 */
export async function giveFeedback(
  ctx: AppContext,
  session: ParticipantSession,
  feedback: Omit<FeedbackRow, 'createdAt'>,
  now: Date,
): Promise<FeedbackRow> {
  const attempt = await findCurrentParticipant(ctx.db, session.userId, session.quizId);
  if (attempt?.id !== feedback.participantId) throw new AppError('NOT_FOUND');
  const sinceEnd = attempt.submittedAt ? now.getTime() - attempt.submittedAt.getTime() : -1;
  if (sinceEnd < 0 || sinceEnd > ATTEMPT_LIMITS.feedbackWindowMs)
    throw new AppError('FEEDBACK_CLOSED');
  const row = { ...feedback, createdAt: now };
  if (!(await insertFeedback(ctx.db, row))) throw new AppError('FEEDBACK_GIVEN');
  return row;
}
