import type { PaperQuestion, Question } from '@invigil/core/contract/assessments/question-list';
import type { AttemptContext } from '../../../app-context.ts';
import {
  findCurrentParticipant,
  type ParticipantView,
} from '../../../db/queries/attempts/attempts.ts';
import { listQuestions } from '../../../db/queries/questions.ts';
import { findQuiz } from '../../../db/queries/quizzes.ts';
import type { Session } from '../../../db/queries/sessions.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { presentDrawn, presentQuestion } from '../../assessments/questions/present.ts';

/**
 * An administrator gets the quiz's questions with their key; a candidate only their own paper, only for
 * the assessment, only while the attempt is in progress. Throws NOT_FOUND, FOR_ASSESSMENT_ONLY,
 * NOT_IN_PROGRESS, ATTEMPT_CLOSED.
 */
export async function listQuestionsFor(
  ctx: AttemptContext,
  session: Session,
  quizId: string,
  forAssessment: boolean,
  now: Date,
): Promise<Question[] | PaperQuestion[]> {
  if (session.kind === 'admin') {
    const quiz = await findQuiz(ctx.db, quizId);
    if (!quiz || quiz.archivedAt !== null) throw new AppError('NOT_FOUND');
    return (await listQuestions(ctx.db, quizId)).map(presentQuestion);
  }
  if (session.quizId !== quizId) throw new AppError('NOT_FOUND');
  if (!forAssessment) throw new AppError('FOR_ASSESSMENT_ONLY');
  const attempt = await findCurrentParticipant(ctx.db, session.userId, quizId);
  if (!attempt) throw new AppError('NOT_IN_PROGRESS');
  if (attempt.status !== 'in_progress' || now > attempt.closeAt)
    throw new AppError('ATTEMPT_CLOSED');
  return presentPaper(ctx, attempt);
}

/** The questions of an attempt, as its candidate sees them, in order. */
export async function presentPaper(
  ctx: Pick<AttemptContext, 'papers'>,
  attempt: ParticipantView,
): Promise<PaperQuestion[]> {
  const paper = await ctx.papers.get(attempt.id);
  return paper.entries.map((entry) => presentDrawn(attempt.quizId, entry, attempt));
}
