import type { Answer, LateAnswer } from '@invigil/core/contract/attempts/answers';
import { type ScorableAnswer, scorePaper } from '@invigil/core/domain/questions/scoring';
import type { AttemptContext } from '../../../app-context.ts';
import type { Queryable } from '../../../db/database.ts';
import {
  type AnswerRow,
  type LateAnswerRow,
  listAnswers,
  listLateAnswers,
} from '../../../db/queries/attempts/answers.ts';
import type { ParticipantView } from '../../../db/queries/attempts/attempts.ts';
import { listPaperKeys } from '../../../db/queries/attempts/paper-keys.ts';
import type { Session } from '../../../db/queries/sessions.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { requireAttempt, requireOwnInProgress } from '../own-attempt.ts';
import type { Paper } from '../paper-cache.ts';
import { answerText } from './answer-text.ts';

/**
 * Stored answers: administrators see anyone's, with whether each is right; candidates see their own while
 * the attempt is in progress. Throws NOT_FOUND, ATTEMPT_CLOSED.
 */
export async function listAnswersFor(
  ctx: AttemptContext,
  session: Session,
  participantId: string,
  now: Date,
): Promise<Answer[]> {
  const attempt = await requireAttempt(ctx.db, participantId);
  if (session.kind === 'participant') requireOwnInProgress(session, attempt, now);
  const paper = await ctx.papers.get(participantId);
  const rows = await listAnswers(ctx.db, participantId);
  const correct = session.kind === 'admin' ? await findCorrect(ctx.db, attempt, rows) : null;
  return rows.map((row) => presentAnswer(row, paper, correct));
}

/** The questions of a paper with full points. */
async function findCorrect(
  db: Queryable,
  { id, negativeMarks }: Pick<ParticipantView, 'id' | 'negativeMarks'>,
  answers: readonly ScorableAnswer[],
): Promise<Set<string>> {
  const { questions } = scorePaper(await listPaperKeys(db, [id]), answers, negativeMarks);
  return new Set(questions.filter((q) => q.isCorrect).map((q) => q.questionId));
}

/** Answers that arrived after the end, for administrators. Throws NOT_FOUND. */
export async function listLateAnswersOf(
  ctx: AttemptContext,
  participantId: string,
): Promise<LateAnswer[]> {
  const paper = await ctx.papers.find(participantId);
  if (!paper) throw new AppError('NOT_FOUND');
  return (await listLateAnswers(ctx.db, participantId)).map((row) => presentLateAnswer(row, paper));
}

/** An answer as its candidate may see it; for administrators, `correct` adds whether it is right. */
function presentAnswer(row: AnswerRow, paper: Paper, correct: ReadonlySet<string> | null): Answer {
  return {
    id: row.id,
    participantId: row.participantId,
    ...presentGiven(row, paper),
    revision: row.revision,
    createdAt: row.createdAt.toISOString(),
    ...(correct ? { isCorrect: correct.has(row.questionId) } : {}),
  };
}

function presentLateAnswer(row: LateAnswerRow, paper: Paper): LateAnswer {
  const { revision, receivedAt } = row;
  return { ...presentGiven(row, paper), revision, receivedAt: receivedAt.toISOString() };
}

const presentGiven = (row: AnswerRow | LateAnswerRow, paper: Paper) => ({
  questionId: row.questionId,
  selectedOption: answerText(paper.byQuestion.get(row.questionId), row),
  isFlagged: row.isFlagged,
});
