import type { Answer, LateAnswer } from '@invigil/core/contract/attempts/answers';
import type { AppContext } from '../../../app-context.ts';
import { listAnswers, listLateAnswers } from '../../../db/queries/attempts/answers.ts';
import { findParticipant } from '../../../db/queries/attempts/attempts.ts';
import { findKeys } from '../../../db/queries/attempts/paper-keys.ts';
import type { Session } from '../../../db/queries/sessions.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { requireOwnInProgress } from '../closed.ts';
import { presentAnswer, presentLateAnswer } from './present.ts';

/**
 * Stored answers: administrators see anyone's, with whether each is right; candidates see their own while
 * the attempt is in progress. Throws NOT_FOUND, ATTEMPT_CLOSED.
 */
export async function listAnswersFor(
  ctx: AppContext,
  session: Session,
  participantId: string,
  now: Date,
): Promise<Answer[]> {
  const attempt = await findParticipant(ctx.db, participantId);
  if (!attempt) throw new AppError('NOT_FOUND');
  if (session.kind === 'participant') requireOwnInProgress(session, attempt, now);
  const paper = await ctx.papers.get(participantId);
  const rows = await listAnswers(ctx.db, participantId);
  const keys = session.kind === 'admin' ? await findKeys(ctx.db, participantId) : null;
  return rows.map((row) => presentAnswer(row, paper, keys));
}

/** Answers that arrived after the end, for administrators. Throws NOT_FOUND. */
export async function listLateAnswersOf(
  ctx: AppContext,
  participantId: string,
): Promise<LateAnswer[]> {
  const paper = await ctx.papers.find(participantId);
  if (!paper) throw new AppError('NOT_FOUND');
  return (await listLateAnswers(ctx.db, participantId)).map((row) => presentLateAnswer(row, paper));
}
