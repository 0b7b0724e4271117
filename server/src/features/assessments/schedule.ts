import type { QuizSchedule, setSchedule } from '@invigil/core/contract/assessments/schedule';
import type { ParsedBodyOf } from '@invigil/core/contract/definition/endpoint';
import { nameOf } from '@invigil/core/domain/people';
import type { Reach } from '@invigil/core/domain/rights';
import { ownScheduleOf, type StoredSchedule, storedRule } from '@invigil/core/domain/schedule';
import type { BaseContext } from '../../app-context.ts';
import type { Queryable } from '../../db/database.ts';
import { notifyAttempts } from '../../db/queries/attempts/news.ts';
import { lockQuiz, updateQuiz } from '../../db/queries/quizzes.ts';
import {
  listBegun,
  listInvitedGroups,
  listTimedPeople,
  withTimesOf,
} from '../../db/queries/schedules.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import type { Write } from '../../sessions/command.ts';
import { requireUnarchived } from '../../sessions/guards.ts';
import { ASSESSMENTS } from '../../trust/row-kinds.ts';
import { changeSealed } from '../../trust/sealed-kinds.ts';
import { presentTimes } from './present-quiz.ts';

/** People whose times change that an answer names. */
const MOST_NAMED = 100;

export function scheduleHandlers(ctx: BaseContext) {
  return {
    getSchedule: ({ params, sees }) => readSchedule(ctx.db, sees, params.id),
    setSchedule: ({ params, body, command }) =>
      command((write) => changeSchedule(ctx, write, params.id, body)),
  } satisfies Handlers;
}

async function readSchedule(db: Queryable, sees: Reach, quizId: string): Promise<QuizSchedule> {
  const { timeRules } = await requireUnarchived(db, quizId);
  const people = await listTimedPeople(db, sees, { quizId, hasOwn: true });
  return {
    rules: timeRules ?? [],
    people: people.flatMap(({ ownTimes, ...person }) =>
      ownTimes === null ? [] : [{ ...namedAs(person), times: ownTimes }],
    ),
    groups: await listInvitedGroups(db, quizId),
  };
}

/**
 * Sets the rules for groups; those who wait learn of it at once, attempts under way keep their end. A dry run
 * changes nothing and says the same. Throws NOT_FOUND, STALE.
 */
export async function changeSchedule(
  ctx: BaseContext,
  { tx, actor, now, requireRead, record }: Write<'quiz.schedule_set'>,
  quizId: string,
  { rules, dryRun }: ParsedBodyOf<typeof setSchedule>,
) {
  const quiz = await lockQuiz(tx, quizId, 'update');
  if (!quiz) throw new AppError('NOT_FOUND');
  const wanted = rules.map(storedRule);
  requireRead(quiz.timeRules ?? [], wanted);
  const timeRules = wanted.length === 0 ? null : wanted;
  const stored = await changeSealed(tx, ctx.keys.integrity, ASSESSMENTS, [quizId], () =>
    updateQuiz(tx, quizId, { timeRules, updatedAt: now }),
  );
  const begun = await listBegun(
    tx,
    stored.map(({ id }) => id),
  );
  // To someone who has finished, other times mean nothing.
  const changed = stored.filter(({ id }) => begun.get(id)?.isUnderWay ?? true);
  const first = changed.slice(0, MOST_NAMED);
  const people = new Map(
    (await listTimedPeople(tx, actor.sees, { ids: first.map(({ id }) => id) })).map((person) => [
      person.id,
      person,
    ]),
  );
  const timesOf = (stored: StoredSchedule) =>
    presentTimes(ownScheduleOf(withTimesOf(quiz, stored)));
  const result = {
    changed: changed.length,
    underWay: changed.filter(({ id }) => begun.has(id)).length,
    changes: first.flatMap(({ id, before, after }) => {
      const person = people.get(id);
      if (!person) return [];
      const times = { before: timesOf(before), after: timesOf(after) };
      return [{ ...namedAs(person), ...times, isUnderWay: person.isUnderWay }];
    }),
  };
  if (dryRun) return result;
  await record('quiz.schedule_set', ['quiz', quizId], { rules: wanted, changed: changed.length });
  await notifyAttempts(tx, [quizId]);
  return result;
}

const namedAs = (person: {
  id: string;
  email: string | null;
  givenName: string;
  familyName: string;
}) => {
  const userName = nameOf(person);
  return {
    ...{ invitationId: person.id, email: person.email },
    ...(userName === '' ? {} : { userName }),
  };
};
