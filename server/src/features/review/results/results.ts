import { isDeepStrictEqual } from 'node:util';
import { userNameOf } from '@invigil/core/domain/people';
import { pointsOf } from '@invigil/core/domain/questions/scoring';
import {
  figuresOf,
  outcomeOf,
  pointsIn,
  type ResultRules,
} from '@invigil/core/domain/results/outcome';
import type { BaseContext } from '../../../app-context.ts';
import { inTrial, type Tx } from '../../../db/database.ts';
import { setScores } from '../../../db/queries/attempts/ends.ts';
import { lockQuizOfResults, updateQuiz } from '../../../db/queries/quizzes.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { requireQuiz } from '../../../sessions/guards.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';
import { changeSealed, RESULTS } from '../../../trust/sealed-kinds.ts';
import { scoreAttempts } from '../../attempts/scoring/score-attempts.ts';
import { listResults, lockUnscoredSections } from './queries.ts';

/** Changes that a dry run names; their number is exact. */
const MOST_CHANGES = 200;

/** Throws NOT_FOUND. */
async function readResults({ db }: Pick<BaseContext, 'db'>, quizId: string) {
  const quiz = await requireQuiz(db, quizId);
  const attempts = await listResults(db, quizId);
  const most = new Set(attempts.map((attempt) => pointsIn(attempt).maxPoints));
  const [maxPoints = null] = most;
  return {
    rules: quiz.resultRules,
    sections: quiz.structure?.sections.map(({ title }) => title) ?? [],
    maxPoints: most.size === 1 && maxPoints !== null ? pointsOf(maxPoints) : null,
    figures: figuresOf(attempts, quiz.resultRules),
  };
}

/** Sets what decides who passes, or says whose outcome that would change. Throws NOT_FOUND. */
export function changeRules(
  ctx: Pick<BaseContext, 'db' | 'keys' | 'trust'>,
  adminId: string,
  quizId: string,
  { rules, dryRun }: { rules: ResultRules | null; dryRun: boolean },
  now: Date,
) {
  return inTrial(ctx.db, dryRun, async (tx) => {
    const quiz = await lockQuizOfResults(tx, quizId, 'update');
    if (!quiz) throw new AppError('NOT_FOUND');
    if (rules && rules.sectionMarks.length > 0) await scoreSections(tx, ctx, quizId);
    const attempts = await listResults(tx, quizId);
    const changes = attempts.flatMap((attempt) => {
      const [before, after] = [outcomeOf(attempt, quiz.resultRules), outcomeOf(attempt, rules)];
      const isSame = isDeepStrictEqual(
        [before?.result ?? null, before?.grade ?? null],
        [after?.result ?? null, after?.grade ?? null],
      );
      if (isSame) return [];
      const { id, userId, userEmail } = attempt;
      const who = { participantId: id, userId, userEmail, ...userNameOf(attempt) };
      return [{ ...who, before, after }];
    });
    await updateQuiz(tx, quizId, { resultRules: rules, updatedAt: now });
    if (!dryRun) {
      const details = { rules, changed: changes.length };
      await recordAudit(tx, now, adminId, 'quiz.results_set', ['quiz', quizId], details);
    }
    return {
      applied: !dryRun,
      before: figuresOf(attempts, quiz.resultRules),
      after: figuresOf(attempts, rules),
      changed: changes.length,
      changes: changes.slice(0, MOST_CHANGES),
    };
  });
}

/** Attempts that ended before sections had points of their own get them now. */
async function scoreSections(
  tx: Tx,
  ctx: Pick<BaseContext, 'keys' | 'trust'>,
  quizId: string,
): Promise<void> {
  const attempts = await lockUnscoredSections(tx, quizId);
  const ids = attempts.map(({ id }) => id);
  await changeSealed(tx, ctx.keys.integrity, RESULTS, ids, async () => {
    const scoreOf = await scoreAttempts(tx, ctx, attempts);
    const scores = attempts.map((attempt) => {
      const { id, score, points, maxPoints } = attempt;
      return { id, score: score ?? 0, points, maxPoints, sections: scoreOf(id).sections };
    });
    await setScores(tx, scores);
  });
}

export function resultHandlers(ctx: BaseContext) {
  return {
    getQuizResults: ({ params }) => readResults(ctx, params.id),
    setResultRules: ({ params, body, session, now }) =>
      changeRules(ctx, session.adminId, params.id, body, now),
  } satisfies Handlers;
}
