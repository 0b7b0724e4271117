import { countingOf } from '@invigil/core/domain/results/counting';
import { ONCE, type Retake, retakeAfter } from '@invigil/core/domain/retakes';
import type { BaseContext } from '../../../app-context.ts';
import type { Queryable, Tx } from '../../../db/database.ts';
import {
  listAttemptsOf,
  type ParticipantView,
  type Taker,
} from '../../../db/queries/attempts/attempts.ts';
import { setCounting, setReplaced } from '../../../db/queries/attempts/ends.ts';
import { insertParticipantEvents } from '../../../db/queries/attempts/events.ts';
import { lockAttemptsOf } from '../../../db/queries/attempts/locks.ts';
import { notifyAttempts } from '../../../db/queries/attempts/news.ts';
import { listQuizzesById, type QuizRow } from '../../../db/queries/quizzes.ts';
import { changeSealed, RESULTS } from '../../../trust/sealed-kinds.ts';
import { isQuizOpen } from '../../assessments/present-quiz.ts';

/**
 * Another attempt that someone may begin, now or after the wait; null: none, or their latest attempt runs or was set
 * aside.
 *
 * @param quiz with the person's times
 */
export async function findRetake(
  db: Queryable,
  quiz: QuizRow | undefined,
  taker: Taker,
  now: Date,
): Promise<Retake | null> {
  if (!quiz?.retakes || !isQuizOpen(quiz, now)) return null;
  const retake = retakeAfter(await listAttemptsOf(db, [taker]), quiz.retakes);
  const isInTime = retake && (quiz.endDate === null || retake.from < quiz.endDate);
  return isInTime ? retake : null;
}

/** An assessment as it is for someone who waits for another attempt: it opens then. */
export function openingAfterWait<Quiz extends { opensAt: Date | null }>(
  quiz: Quiz,
  retake: Pick<Retake, 'from'> | null,
  now: Date,
): Quiz {
  if (retake === null || retake.from <= now) return quiz;
  const { opensAt } = quiz;
  return { ...quiz, opensAt: opensAt !== null && opensAt > retake.from ? opensAt : retake.from };
}

/**
 * Lets exactly one attempt of each person count, by the rule of the assessment: called with each change of what that
 * depends on, in its transaction. Whoever is taking an assessment has the running one.
 */
export async function settleCounting(
  tx: Tx,
  ctx: Pick<BaseContext, 'keys'>,
  takers: readonly Taker[],
  now: Date,
): Promise<void> {
  const attempts = await lockAttemptsOf(tx, takers);
  const quizIds = [...new Set(takers.map(({ quizId }) => quizId))];
  const quizzes = new Map((await listQuizzesById(tx, quizIds)).map((quiz) => [quiz.id, quiz]));
  const behind: ParticipantView[] = [];
  const counting: ParticipantView[] = [];
  const ofEach = Map.groupBy(attempts, ({ userId, quizId }) => `${userId} ${quizId}`);
  for (const own of ofEach.values()) {
    const [{ quizId = '' } = {}] = own;
    if (own.some(({ status }) => status === 'in_progress')) continue;
    const { counts } = quizzes.get(quizId)?.retakes ?? ONCE;
    const before = own.find(({ replacedAt }) => replacedAt === null);
    const after = countingOf(own, counts);
    if (before?.id === after?.id) continue;
    if (before) behind.push(before);
    if (after) counting.push(after);
  }
  const ids = [...behind, ...counting].map(({ id }) => id);
  if (ids.length === 0) return;
  await changeSealed(tx, ctx.keys.integrity, RESULTS, ids, async () => {
    await leaveBehind(tx, behind, now);
    await setCounting(
      tx,
      counting.map(({ id }) => id),
    );
  });
  await insertParticipantEvents(
    tx,
    counting.map(({ id }) => ({ participantId: id, kind: 'counts', at: now })),
  );
  await notifyAttempts(tx, ids);
}

/** Marks attempts of people of whom another one counts or begins. */
export async function leaveBehind(
  tx: Tx,
  attempts: readonly Pick<ParticipantView, 'id'>[],
  now: Date,
): Promise<void> {
  const ids = attempts.map(({ id }) => id);
  if (ids.length === 0) return;
  await setReplaced(tx, ids, 'retake', null, now);
  await insertParticipantEvents(
    tx,
    ids.map((participantId) => ({ participantId, kind: 'retaken', at: now })),
  );
}
