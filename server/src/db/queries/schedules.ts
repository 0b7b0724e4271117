import { ONCE } from '@invigil/core/domain/retakes';
import type { Reach } from '@invigil/core/domain/rights';
import {
  isSameSchedule,
  ownScheduleOf,
  type Schedule,
  type StoredSchedule,
  scheduleOf,
  type TimedQuiz,
} from '@invigil/core/domain/schedule';
import { and, asc, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Queryable, Tx } from '../database.ts';
import { portionsOf } from '../portions.ts';
import { quizzes } from '../schema/assessments.ts';
import { participants } from '../schema/attempts.ts';
import { invitations, users } from '../schema/invitations.ts';
import { groupsColumn, NOT_EVERYONE, nameColumns } from './seen-people.ts';

/** An assessment with the times of one of its invitations: no rule is left to be applied. */
export function withTimesOf<Quiz extends TimedQuiz>(quiz: Quiz, invitation: StoredSchedule): Quiz {
  const { opensAt, endDate, startBy, duration, attempts } = invitation;
  const times = duration === null ? {} : { opensAt, endDate, startBy, duration };
  const retakes = attempts === null ? quiz.retakes : { ...(quiz.retakes ?? ONCE), attempts };
  return { ...quiz, ...times, retakes, timeRules: null };
}

/** The columns of an invitation's stored times, a `StoredSchedule`. */
export const TIMES_COLUMNS = {
  opensAt: invitations.opensAt,
  endDate: invitations.endDate,
  startBy: invitations.startBy,
  duration: invitations.duration,
  attempts: invitations.attempts,
};

/** The times of an invitation; `undefined`: there is none. */
export async function findTimes(
  db: Queryable,
  invitationId: string,
): Promise<StoredSchedule | undefined> {
  const [row] = await db
    .select(TIMES_COLUMNS)
    .from(invitations)
    .where(eq(invitations.id, invitationId));
  return row;
}

const timeColumn = (own: 'opensAt' | 'endDate' | 'startBy') =>
  sql<Date | null>`case when ${invitations.duration} is null then ${quizzes[own]} else ${invitations[own]} end`.mapWith(
    quizzes[own],
  );

/** The opening of a row of `invitations` joined with `quizzes`. */
export const OPENS_AT = timeColumn('opensAt');

/** The end date of such a row. */
export const END_DATE = timeColumn('endDate');

/** The moment from which such a row cannot start. */
export const LAST_START = sql<Date | null>`coalesce(${timeColumn('startBy')}, ${END_DATE})`.mapWith(
  quizzes.endDate,
);

/** Invitations whose times are written in one statement. */
const AT_ONCE = 5_000;

/** Rows whose times may differ from those of their assessment, or did. */
const hasTimes = or(
  isNotNull(quizzes.timeRules),
  isNotNull(invitations.ownTimes),
  isNotNull(invitations.duration),
);

/**
 * Writes the times of some invitations anew: called with each change of what they depend on, in its transaction. The
 * assessments are locked before the invitations, in the order of a start. Returns those that have changed.
 */
export async function storeSchedules(
  tx: Tx,
  of: { quizId: string } | { userIds: readonly string[] } | { invitationIds: readonly string[] },
): Promise<ScheduleChange[]> {
  const which =
    'quizId' in of
      ? eq(invitations.quizId, of.quizId)
      : 'userIds' in of
        ? sql`${invitations.userId} = any (${sql.param([...of.userIds])}::uuid[])`
        : sql`${invitations.id} = any (${sql.param([...of.invitationIds])}::uuid[])`;
  const timed = await listTimed(tx, which);
  if (timed.length === 0) return [];
  const known = await tx
    .select()
    .from(quizzes)
    .where(inArray(quizzes.id, timed))
    .orderBy(asc(quizzes.id))
    .for('share');
  const quizOf = new Map(known.map((quiz) => [quiz.id, quiz]));
  const rows = await selectTimes(tx)
    .where(sql`${which} and ${inArray(invitations.quizId, timed)}`)
    .orderBy(asc(invitations.userId), asc(invitations.id))
    .for('no key update', { of: invitations });
  const changed = rows.flatMap((row) => {
    const quiz = quizOf.get(row.quizId);
    if (!quiz) return [];
    const next = storedOf(ownScheduleOf(quiz), scheduleOf(quiz, row));
    return isSameSchedule(row, next) ? [] : [{ id: row.id, before: storedIn(row), after: next }];
  });
  for (const some of portionsOf(changed, AT_ONCE)) await writeTimes(tx, some);
  return changed;
}

/** A schedule as its invitation has it. */
function storedOf(own: Schedule, schedule: Schedule): StoredSchedule {
  if (isSameSchedule(own, schedule)) return NONE;
  return { ...schedule, attempts: schedule.attempts === own.attempts ? null : schedule.attempts };
}

/** An invitation whose times have changed. */
export interface ScheduleChange {
  id: string;
  before: StoredSchedule;
  after: StoredSchedule;
}

const storedIn = ({
  opensAt,
  endDate,
  startBy,
  duration,
  attempts,
}: StoredSchedule): StoredSchedule => ({
  opensAt,
  endDate,
  startBy,
  duration,
  attempts,
});

/** The assessments of some invitations that have rules, or whose invitations have times of their own. */
async function listTimed(tx: Tx, which: SQL): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ id: quizzes.id })
    .from(invitations)
    .innerJoin(quizzes, eq(quizzes.id, invitations.quizId))
    .where(sql`${which} and ${hasTimes}`);
  return rows.map(({ id }) => id);
}

const selectTimes = (db: Queryable) =>
  db
    .select({
      id: invitations.id,
      quizId: invitations.quizId,
      userId: invitations.userId,
      ownTimes: invitations.ownTimes,
      ...TIMES_COLUMNS,
      groups: groupsColumn(NOT_EVERYONE),
    })
    .from(invitations)
    .innerJoin(users, eq(users.id, invitations.userId));

/**
 * People of some invitations to an assessment, with whether they are in the middle of an attempt; erased ones have no
 * address.
 */
export async function listTimedPeople(
  db: Queryable,
  sees: Reach,
  which: { quizId: string; hasOwn: true } | { ids: readonly string[] },
) {
  return db
    .select({
      id: invitations.id,
      email: users.email,
      ...nameColumns(sees),
      ownTimes: invitations.ownTimes,
      isUnderWay: sql<boolean>`exists (select from ${participants} p
        where p.invitation_id = ${invitations.id} and p.status = 'in_progress')`,
    })
    .from(invitations)
    .innerJoin(users, eq(users.id, invitations.userId))
    .where(
      'ids' in which
        ? inArray(invitations.id, [...which.ids])
        : and(eq(invitations.quizId, which.quizId), isNotNull(invitations.ownTimes)),
    )
    .orderBy(asc(users.email), asc(invitations.id));
}

/** The people of some invitations who have an attempt that was not replaced: in progress, or finished. */
export async function listBegun(db: Queryable, ids: readonly string[]) {
  const { invitationId, status, replacedAt } = participants;
  const rows = await db
    .select({ id: invitationId, isUnderWay: eq(status, 'in_progress').mapWith(Boolean) })
    .from(participants)
    .where(and(isNull(replacedAt), sql`${invitationId} = any (${sql.param([...ids])}::uuid[])`));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Groups of the people who are invited to an assessment, with how many are in each. */
export async function listInvitedGroups(db: Queryable, quizId: string) {
  const { rows } = await db.execute<{ group: string; people: number }>(sql`
    select g as "group", count(*)::int as people
    from (select ${groupsColumn(NOT_EVERYONE)} as groups from ${invitations}
      join ${users} on ${users.id} = ${invitations.userId}
      where ${invitations.quizId} = ${quizId} and ${invitations.revokedAt} is null) seen, unnest(seen.groups) g
    group by g order by g collate "und-x-icu"`);
  return rows;
}

const NONE: StoredSchedule = {
  ...{ opensAt: null, endDate: null, startBy: null, duration: null },
  attempts: null,
};

async function writeTimes(tx: Tx, rows: readonly ScheduleChange[]): Promise<void> {
  const of = (column: keyof StoredSchedule) => sql.param(rows.map(({ after }) => after[column]));
  await tx.execute(sql`
    update ${invitations} set opens_at = n.opens_at, end_date = n.end_date, start_by = n.start_by,
      duration = n.duration, attempts = n.attempts
    from unnest(${sql.param(rows.map(({ id }) => id))}::uuid[], ${of('opensAt')}::timestamptz[], ${of('endDate')}::timestamptz[],
      ${of('startBy')}::timestamptz[], ${of('duration')}::smallint[], ${of('attempts')}::smallint[])
      as n(id, opens_at, end_date, start_by, duration, attempts)
    where ${invitations.id} = n.id`);
}
