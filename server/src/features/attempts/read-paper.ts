import type { PaperQuestion, Question } from '@invigil/core/contract/assessments/question-list';
import { may, type Reach } from '@invigil/core/domain/rights';
import type { AppContext, AttemptContext, FileContext } from '../../app-context.ts';
import type { Queryable } from '../../db/database.ts';
import {
  findCounting,
  findCurrentParticipant,
  type ParticipantView,
} from '../../db/queries/attempts/attempts.ts';
import { listPaperKeys } from '../../db/queries/attempts/paper-keys.ts';
import { isImageWithin } from '../../db/queries/images.ts';
import type { PreviewSession } from '../../db/queries/preview-codes.ts';
import { isImageOnPapers } from '../../db/queries/question-pool.ts';
import { listQuestions } from '../../db/queries/questions.ts';
import { findQuiz } from '../../db/queries/quizzes.ts';
import type { Session } from '../../db/queries/sessions.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import { Reply } from '../../runtime/reply.ts';
import { requireUnarchived } from '../../sessions/guards.ts';
import { presentDrawn, presentQuestion } from '../assessments/questions/present.ts';
import type { Paper } from './paper-cache.ts';
import { findOpenResult, mayReadResult } from './release-results.ts';

/**
 * An administrator gets the quiz's questions with their key; a candidate only their own paper, only for
 * the assessment, only while the attempt is in progress. Throws NOT_FOUND, FOR_ASSESSMENT_ONLY,
 * NOT_IN_PROGRESS, ATTEMPT_CLOSED.
 */
async function listQuestionsFor(
  ctx: AttemptContext,
  session: Exclude<Session, PreviewSession>,
  quizId: string,
  forAssessment: boolean,
  now: Date,
): Promise<Question[] | PaperQuestion[]> {
  if (session.kind === 'admin') {
    await requireUnarchived(ctx.db, quizId);
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

/**
 * An image of a question: any in reach for an administrator; in a preview one that its papers can show, for
 * who may see the questions; for a candidate only one that their own paper shows, while the attempt is in
 * progress, or once its answers are released. For all others there is no such image. Throws NOT_FOUND,
 * StorageAway.
 *
 * @returns its bytes, and until when this person may see it
 */
async function readImageFor(
  ctx: Pick<AppContext, 'config' | 'db' | 'images' | 'keys' | 'papers' | 'trust'>,
  session: Session,
  reach: Reach,
  hash: string,
  now: Date,
): Promise<{ bytes: Buffer; until: Date }> {
  let until = session.expiresAt;
  if (session.kind === 'participant') {
    // A running attempt counts, too.
    const attempt = await findCounting(ctx.db, session.userId, session.quizId);
    const isRunning = attempt?.status === 'in_progress' && now <= attempt.closeAt;
    const quiz = isRunning ? undefined : await findQuiz(ctx.db, session.quizId);
    const mayRead = attempt && (isRunning || (await mayReadResult(ctx.db, session, attempt)));
    const open = mayRead ? await findOpenResult(ctx, attempt.id, quiz, now) : null;
    const parts = open?.parts ?? [];
    const isThere = isRunning || parts.includes('answers');
    const isShown =
      attempt &&
      isThere &&
      (shows(await ctx.papers.get(attempt.id), hash) ||
        (parts.includes('explanations') && (await explains(ctx, attempt.id, hash))));
    if (!isShown) throw new AppError('NOT_FOUND');
    if (isRunning) until = attempt.closeAt;
  } else {
    const isShown =
      session.kind === 'admin'
        ? await isImageWithin(ctx.db, hash, reach)
        : await isInPreview(ctx.db, session, hash);
    if (!isShown) throw new AppError('NOT_FOUND');
  }
  const bytes = await ctx.images.get(hash);
  if (bytes === undefined) throw new AppError('NOT_FOUND');
  return { bytes, until };
}

async function isInPreview(db: Queryable, session: PreviewSession, hash: string): Promise<boolean> {
  const quiz = await findQuiz(db, session.quizId);
  if (!quiz || !may(session.grants, 'questions.edit', session)) return false;
  return isImageOnPapers(db, quiz, hash);
}

/** Searches without parsing: only an image's place in a text has this form. */
function shows({ entries }: Paper, hash: string): boolean {
  const reference = `image:${hash}`;
  return entries.some(
    ({ content }) =>
      content.details?.format === 'markdown' &&
      (content.question.includes(reference) ||
        [...content.textOf.values()].some((text) => text.includes(reference))),
  );
}

/** Whether an explanation of a question on the paper, or feedback on an option, shows it. */
async function explains(
  { db }: Pick<AppContext, 'db'>,
  id: string,
  hash: string,
): Promise<boolean> {
  const keys = await listPaperKeys(db, [id]);
  const reference = `image:${hash}`;
  return keys.some(
    ({ details }) =>
      details?.explanation?.includes(reference) ||
      details?.options.some(({ feedback }) => feedback?.includes(reference)),
  );
}

export function paperHandlers(ctx: AttemptContext & FileContext) {
  return {
    async listQuestions({ params, query, session, now }) {
      const forAssessment = query.forAssessment === 'true';
      return await listQuestionsFor(ctx, session, params.id, forAssessment, now);
    },
    async readImage({ params, session, reach, now }) {
      const { bytes, until } = await readImageFor(ctx, session, reach, params.hash, now);
      const seconds = Math.max(0, Math.floor((until.getTime() - now.getTime()) / 1_000));
      // An image never changes; the browser forgets it at the end of the attempt or session.
      const headers = { 'cache-control': `private, max-age=${seconds}, immutable` };
      return new Reply(200, bytes, headers);
    },
  } satisfies Handlers;
}
