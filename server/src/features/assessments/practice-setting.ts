import { randomBytes } from 'node:crypto';
import type { PracticeSetting, setPractice } from '@invigil/core/contract/assessments/practice';
import type { ParsedBodyOf } from '@invigil/core/contract/definition/endpoint';
import { may } from '@invigil/core/domain/rights';
import { t } from '@invigil/core/texts/i18n';
import type { BaseContext } from '../../app-context.ts';
import type { Tx } from '../../db/database.ts';
import { notifyAttempts } from '../../db/queries/attempts/news.ts';
import { findPractice, hasCandidates, listOthers } from '../../db/queries/practice.ts';
import { countOnPapers, listOnPapers } from '../../db/queries/question-pool.ts';
import { findQuiz, lockQuiz, type QuizRow, updateQuiz } from '../../db/queries/quizzes.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import type { Administrator, Write } from '../../sessions/command.ts';
import { requireReach } from '../../sessions/guards.ts';
import { readGrants } from '../../sessions/session-reader.ts';
import { ASSESSMENTS } from '../../trust/row-kinds.ts';
import { changeSealed } from '../../trust/sealed-kinds.ts';
import { presentQuiz } from './present-quiz.ts';

export function practiceSettingHandlers(ctx: BaseContext) {
  return {
    setPractice: ({ params, body, command }) =>
      command((write) => changePractice(ctx, write, params.id, body)),
  } satisfies Handlers;
}

const settingOf = ({ practiceToken, practiceQuizId }: QuizRow): PracticeSetting => ({
  isPractice: practiceToken !== null,
  practiceQuizId,
});

/**
 * Makes an assessment one for practice, each time under a new address, or an ordinary one. A dry run changes
 * nothing and says the same. Throws NOT_FOUND, STALE, HAS_CANDIDATES, INVALID_INPUT for a practice assessment
 * that it cannot name.
 */
export async function changePractice(
  ctx: BaseContext,
  { tx, actor, now, requireRead, record }: Write<'quiz.practice_set'>,
  quizId: string,
  { isPractice, practiceQuizId, dryRun }: ParsedBodyOf<typeof setPractice>,
) {
  const quiz = await lockQuiz(tx, quizId, 'update');
  if (!quiz) throw new AppError('NOT_FOUND');
  const wanted: PracticeSetting = { isPractice, practiceQuizId };
  requireRead(settingOf(quiz), wanted);
  const papers = (await listOnPapers(tx, quiz)).map(({ questionId }) => questionId);
  if (isPractice) await requirePublishable(tx, actor, quiz, papers);
  if (practiceQuizId !== null) await requireNameable(tx, ctx, actor, wanted);
  // The version is that of the form, which has none of this and may be open beside it.
  const set = {
    practiceToken: isPractice ? randomBytes(16).toString('base64url') : null,
    practiceQuizId,
    updatedAt: now,
  };
  await changeSealed(tx, ctx.keys.integrity, ASSESSMENTS, [quizId], () =>
    updateQuiz(tx, quizId, set),
  );
  const changed = await findQuiz(tx, quizId);
  if (!changed) throw new AppError('NOT_FOUND');
  const askedBy = isPractice
    ? (await countOnPapers(tx, await listOthers(tx, quizId), papers)).size
    : 0;
  if (!dryRun) {
    await record('quiz.practice_set', ['quiz', quizId], {
      ...(isPractice ? { isPractice } : {}),
      ...(practiceQuizId === null ? {} : { quizId: practiceQuizId }),
    });
    // The pages of its candidates link to it.
    await notifyAttempts(tx, [quizId]);
  }
  return { quiz: presentQuiz(changed, now), askedBy };
}

/**
 * Anyone can read the questions and keys of a practice assessment, so all of them must be in reach of whoever makes
 * it one. Throws NOT_FOUND, HAS_CANDIDATES.
 */
async function requirePublishable(
  tx: Tx,
  actor: Administrator,
  quiz: QuizRow,
  questionIds: readonly string[],
): Promise<void> {
  await requireReach(tx, actor.reach, 'question', questionIds);
  if (quiz.practiceToken === null && (await hasCandidates(tx, quiz.id))) {
    throw new AppError('HAS_CANDIDATES');
  }
}

async function requireNameable(
  tx: Tx,
  ctx: BaseContext,
  actor: Administrator,
  { isPractice, practiceQuizId }: PracticeSetting,
): Promise<void> {
  const named = practiceQuizId === null ? undefined : await findPractice(tx, practiceQuizId);
  const grants = await readGrants(tx, ctx, actor.id);
  if (!isPractice && named && may(grants, 'quizzes.see', named)) return;
  const message = isPractice
    ? t('server.practice.namesNone', 'A practice assessment has none itself')
    : t('server.practice.unknown', 'Select a practice assessment');
  throw new AppError('INVALID_INPUT', { issues: [{ path: 'practiceQuizId', message }] });
}
