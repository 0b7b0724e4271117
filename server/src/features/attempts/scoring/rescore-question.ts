import type { ScoreChange } from '@invigil/core/contract/assessments/questions';
import { pointsOf } from '@invigil/core/domain/questions/scoring';
import type { AppContext } from '../../../app-context.ts';
import { inTransaction, type Tx } from '../../../db/database.ts';
import { setScores } from '../../../db/queries/attempts/ends.ts';
import { listHoldersOf } from '../../../db/queries/attempts/paper-keys.ts';
import { isUsedIn, lockQuestions } from '../../../db/queries/question-bank.ts';
import { type QuestionView, setKeyOfVersions } from '../../../db/queries/questions.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';
import { changeSealed, isWholeVersion, RESULTS, VERSIONS } from '../../../trust/sealed-kinds.ts';
import { scoreAttempts } from './score-attempts.ts';

/** The result of a rescoring. */
export interface Rescoring {
  participants: number;
  unchanged: number;
  withoutPoints?: number;
  changes: ScoreChange[];
  applied: boolean;
}

/** Participants scored per statement. */
const AT_A_TIME = 200;

/** Thrown to roll a dry run back; carries what would have changed. */
class DryRun extends Error {
  readonly rescoring: Rescoring;

  constructor(rescoring: Rescoring) {
    super('dry run');
    this.rescoring = rescoring;
  }
}

/**
 * Applies the current key of a question to the earlier versions that papers hold (product 4.9). Options
 * keep their ids across versions, so the right option is found by its id; a version that lacks it keeps
 * its key. Ended attempts get a new score; running ones are scored with the new key when they end. A dry
 * run does all of it and rolls back, so it lists exactly what would change. A question of the bank is
 * corrected in every assessment whose papers hold it.
 *
 * @param quizId an assessment that has to use the question; null: any
 *
 * Throws NOT_FOUND.
 */
export async function rescoreQuestion(
  ctx: AppContext,
  adminId: string,
  quizId: string | null,
  questionId: string,
  how: { dryRun: boolean; reason?: string | undefined },
  now: Date,
): Promise<Rescoring> {
  try {
    return await inTransaction(ctx.db, async (tx) => {
      const [question] = await lockQuestions(tx, [questionId]);
      const isThere = quizId === null || (await isUsedIn(tx, questionId, quizId));
      if (!question || !isThere) throw new AppError('NOT_FOUND');
      const rescoring = { ...(await rescore(tx, ctx, question)), applied: !how.dryRun };
      if (how.dryRun) throw new DryRun(rescoring);
      await recordAudit(tx, {
        adminId,
        action: 'question.rescored',
        subject: { type: 'question', id: questionId },
        details: {
          participants: rescoring.participants,
          changed: rescoring.changes.length,
          reason: how.reason ?? null,
        },
        at: now,
      });
      return rescoring;
    });
  } catch (error) {
    if (error instanceof DryRun) return error.rescoring;
    throw error;
  }
}

async function rescore(
  tx: Tx,
  ctx: Pick<AppContext, 'keys' | 'trust'>,
  question: QuestionView,
): Promise<Omit<Rescoring, 'applied'>> {
  // Locked first: their seals are checked before the key, which is part of each result, changes.
  const holders = await listHoldersOf(tx, question.row.id);
  const ended = holders.filter((holder) => holder.score !== null).map((holder) => holder.id);
  return changeSealed(tx, ctx.keys.integrity, RESULTS, ended, () =>
    apply(tx, ctx, question, holders),
  );
}

async function apply(
  tx: Tx,
  ctx: Pick<AppContext, 'keys' | 'trust'>,
  { version }: QuestionView,
  holders: Awaited<ReturnType<typeof listHoldersOf>>,
): Promise<Omit<Rescoring, 'applied'>> {
  const corrected = await correctEarlier(tx, ctx, version);
  const changes: ScoreChange[] = [];
  const scores: Parameters<typeof setScores>[1][number][] = [];
  for (let i = 0; i < holders.length; i += AT_A_TIME) {
    const batch = holders.slice(i, i + AT_A_TIME).filter((holder) => holder.score !== null);
    if (batch.length === 0) continue;
    const scoreOf = await scoreAttempts(tx, ctx, batch);
    for (const holder of batch) {
      const { score, points, maxPoints } = scoreOf(holder.id);
      const isSame =
        score === holder.score && points === holder.points && maxPoints === holder.maxPoints;
      if (isSame || holder.score === null) continue;
      scores.push({ id: holder.id, score, points, maxPoints });
      changes.push({
        participantId: holder.id,
        userEmail: holder.userEmail,
        before: holder.score,
        after: score,
        totalMarks: holder.totalMarks,
        ...(points === null || maxPoints === null
          ? {}
          : {
              pointsBefore: pointsOf(holder.points ?? 0),
              pointsAfter: pointsOf(points),
              maxPoints: pointsOf(maxPoints),
            }),
      });
    }
  }
  await setScores(tx, scores);
  const fitting = new Set([...corrected, version.version]);
  const withoutPoints = hasOwnPoints(version)
    ? holders.filter((holder) => holder.maxPoints === null).length
    : 0;
  return {
    participants: holders.length,
    unchanged: holders.filter((holder) => !fitting.has(holder.questionVersion)).length,
    ...(withoutPoints > 0 ? { withoutPoints } : {}),
    changes,
  };
}

/** A key that was changed outside of Invigil makes no version genuine that takes it over. */
function correctEarlier(
  tx: Tx,
  { keys: { integrity } }: Pick<AppContext, 'keys'>,
  current: QuestionView['version'],
): Promise<number[]> {
  const { questionId, version } = current;
  const ids = Array.from({ length: version }, (_, i) => `${questionId}/${i + 1}`);
  const whole = isWholeVersion(integrity, current) ? ids : [];
  return changeSealed(tx, integrity, VERSIONS, whole, () => setKeyOfVersions(tx, current));
}

/** Whether the question is worth more than "right or wrong, one mark", which is all some attempts count. */
function hasOwnPoints({ details }: QuestionView['version']): boolean {
  return details !== null && (details.points !== 1 || details.rule !== 'all_or_nothing');
}
