import type {
  CommonStart as CommonStartNews,
  OpeningNews,
} from '@invigil/core/contract/attempts/opening';
import { remainingMs } from '@invigil/core/domain/attempt';
import { type CommonStart, commonStartOf, hasGroupStarts } from '@invigil/core/domain/common-start';
import type { BaseContext } from '../../../app-context.ts';
import { Batches } from '../../../db/batches.ts';
import type { Queryable } from '../../../db/database.ts';
import { isDatabaseAway, timeoutOf } from '../../../db/database-away.ts';
import type { ParticipantView } from '../../../db/queries/attempts/attempts.ts';
import { listQuizzesById, type QuizView } from '../../../db/queries/quizzes.ts';
import { withTimesOf } from '../../../db/queries/schedules.ts';
import { listGroupsOf, listWaiting, markWaiting } from '../../../db/queries/waiting.ts';
import { isQuizOpen } from '../../assessments/present-quiz.ts';
import type { Waiting, WaitingRoom } from './begin-attempts.ts';
import { findRetake, openingAfterWait } from './retakes.ts';

const MOST_AT_ONCE = 500;
const TIMEOUT_MS = 10_000;

/** Reads for many at once: ten thousand learn in the same moment that they may start. */
export function openWaitingRoom(ctx: Pick<BaseContext, 'config' | 'db' | 'clock'>): WaitingRoom {
  const batches = new Batches<Waiting, OpeningNews | undefined>({
    keyOf: ({ session }) => session.id,
    most: MOST_AT_ONCE,
    isForAll: isDatabaseAway,
    timeout: timeoutOf(TIMEOUT_MS, 'someone who waits was not answered in time'),
    run: (some) => readNews(ctx, some),
  });
  return { read: (waiting) => batches.add(waiting) };
}

async function readNews(
  { config, db, clock }: Pick<BaseContext, 'config' | 'db' | 'clock'>,
  some: readonly Waiting[],
): Promise<(OpeningNews | undefined)[]> {
  const now = clock.now();
  const people = await listWaiting(
    db,
    some.map(({ session }) => session.invitationId),
  );
  const byId = new Map(people.map((person) => [person.id, person]));
  const quizIds = [...new Set(people.map(({ quizId }) => quizId))];
  const quizzes = new Map((await listQuizzesById(db, quizIds)).map((quiz) => [quiz.id, quiz]));
  const ready: string[] = [];
  const answer = async ({ session, isReady }: Waiting) => {
    const person = byId.get(session.invitationId);
    const known = quizzes.get(session.quizId);
    if (!person || !known) return undefined;
    const timed = withTimesOf(known, person);
    // Few wait for another attempt.
    const retake = person.hasAttempt ? await findRetake(db, timed, session, now) : null;
    const quiz = openingAfterWait(timed, retake, now);
    const start = commonStartOf(quiz, person.groups, now);
    if (isReady && start !== null) ready.push(session.id);
    return {
      opensAt: quiz.opensAt?.toISOString() ?? null,
      opensInMs: quiz.opensAt ? remainingMs(quiz.opensAt, now) : 0,
      timeZone: quiz.timeZone ?? config.timeZone,
      isOpen: isQuizOpen(quiz, now),
      ...togetherNews(start, person.hasAttempt, now),
    };
  };
  const news = await Promise.all(some.map(answer));
  if (ready.length > 0) await markWaiting(db, ready, now);
  return news;
}

/** Whoever had an attempt before cannot be late for another one. */
function togetherNews(
  start: CommonStart | null,
  hasAttempt: boolean,
  now: Date,
): { startTogether?: CommonStartNews } {
  if (start === null || (hasAttempt && start.startedAt !== null)) return {};
  const { by, lateMinutes, lateUntil } = start;
  const lateForMs = lateUntil ? { lateForMs: remainingMs(lateUntil, now) } : {};
  return { startTogether: { by, lateMinutes, ...lateForMs } };
}

/**
 * The common start of someone without an attempt, as the page needs it. A reinstated attempt waits for nobody.
 *
 * @param before the attempt that was replaced
 */
export async function findTogetherNews(
  db: Queryable,
  invitationId: string,
  quiz: QuizView,
  before: ParticipantView | undefined,
  now: Date,
): Promise<{ startTogether?: CommonStartNews }> {
  if (quiz.startTogether === null || before?.replacedHow === 'reinstate') return {};
  const groups = hasGroupStarts(quiz)
    ? (await listGroupsOf(db, [invitationId])).get(invitationId)
    : [];
  return togetherNews(commonStartOf(quiz, groups ?? [], now), before !== undefined, now);
}
