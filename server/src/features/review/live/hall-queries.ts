import type { GivenStart, StartTogether } from '@invigil/core/domain/common-start';
import { HALL_LIMITS, QUIZ_LIMITS } from '@invigil/core/domain/limits';
import type { Reach } from '@invigil/core/domain/rights';
import { and, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/database.ts';
import { quizWithin } from '../../../db/queries/places.ts';
import { isOpen, isOpenToInvited } from '../../../db/queries/quizzes.ts';
import { OPENS_AT } from '../../../db/queries/schedules.ts';
import { groupsColumn, NOT_EVERYONE, nameColumns } from '../../../db/queries/seen-people.ts';
import { quizzes } from '../../../db/schema/assessments.ts';
import { participants } from '../../../db/schema/attempts.ts';
import { invitations, users } from '../../../db/schema/invitations.ts';
import { sessions } from '../../../db/schema/sessions.ts';

/** `WaitingState` of the contract. */
type State = 'absent' | 'lost' | 'entered' | 'waiting';

/** People of an assessment with the same opening, groups and state. */
export interface HallPart {
  quizId: string;
  title: string;
  startTogether: StartTogether;
  commonStarts: GivenStart[] | null;
  opensAt: Date | null;
  groups: string[];
  state: State;
  people: number;
}

const stateAt = (now: Date) => {
  const since = new Date(now.getTime() - HALL_LIMITS.waitsForMs).toISOString();
  return sql<State>`case when ${sessions.waitingAt} > ${since}::timestamptz then 'waiting'
    when ${sessions.waitingAt} is not null then 'lost'
    when ${sessions.id} is not null then 'entered' else 'absent' end`;
};

const isLive = (now: Date) => sql`${sessions.invitationId} = ${invitations.id}
  and ${sessions.endedAt} is null and ${sessions.expiresAt} > ${now.toISOString()}::timestamptz`;

/** Invited, not in an attempt and not after one, and the assessment is open or about to be. */
function isBeforeStart(now: Date): SQL | undefined {
  const soon = new Date(now.getTime() + HALL_LIMITS.shownBeforeMs);
  return and(
    sql`${quizzes.startTogether} is not null`,
    isOpenToInvited(now),
    sql`(${OPENS_AT} is null or ${OPENS_AT} <= ${soon.toISOString()}::timestamptz)`,
    sql`${invitations.revokedAt} is null`,
    sql`not exists (select from ${participants} p
      where p.invitation_id = ${invitations.id} and p.replaced_at is null)`,
  );
}

/**
 * Whether an assessment in reach is about to start together: before the first start for everyone, or some time around
 * its opening. Reads assessments alone, as everyone in the portal asks this again and again.
 */
export async function isAnyHall(db: Queryable, reach: Reach, now: Date): Promise<boolean> {
  const soon = new Date(now.getTime() + HALL_LIMITS.shownBeforeMs).toISOString();
  const past = new Date(now.getTime() - QUIZ_LIMITS.lateMaxMinutes * 60_000).toISOString();
  const isBegun = sql`(${quizzes.opensAt} is null or ${quizzes.opensAt} < ${soon}::timestamptz)`;
  const [row] = await db
    .select({ id: quizzes.id })
    .from(quizzes)
    .where(
      and(
        isOpen(now),
        quizWithin(reach),
        sql`case ${quizzes.startTogether} ->> 'by'
          when 'button' then ${isBegun}
            and not coalesce(${quizzes.commonStarts} @> '[{"group": null}]', false)
          when 'time' then ${quizzes.timeRules} is not null
            or ${isBegun} and ${quizzes.opensAt} > ${past}::timestamptz
          else false end`,
      ),
    )
    .limit(1);
  return row !== undefined;
}

/** How many people of which groups are how far, of the assessments in reach. */
export async function listHallParts(db: Queryable, reach: Reach, now: Date): Promise<HallPart[]> {
  const groups = groupsColumn(NOT_EVERYONE);
  const state = stateAt(now);
  const rows = await db
    .select({
      quizId: quizzes.id,
      title: quizzes.title,
      startTogether: quizzes.startTogether,
      commonStarts: quizzes.commonStarts,
      opensAt: sql<Date | null>`${OPENS_AT}`.mapWith(quizzes.opensAt).as('opens'),
      groups: sql<string[]>`${groups}`.as('groups_of'),
      state: sql<State>`${state}`.as('state'),
      people: sql<number>`count(*)::int`,
    })
    .from(invitations)
    .innerJoin(quizzes, sql`${quizzes.id} = ${invitations.quizId}`)
    .innerJoin(users, sql`${users.id} = ${invitations.userId}`)
    .leftJoin(sessions, isLive(now))
    .where(and(isBeforeStart(now), quizWithin(reach)))
    .groupBy(sql`${quizzes.id}`, sql`opens`, sql`groups_of`, sql`state`)
    .orderBy(sql`${quizzes.title}`, sql`${quizzes.id}`, sql`opens nulls first`);
  return rows.flatMap(({ startTogether, ...row }) =>
    startTogether ? [{ ...row, startTogether }] : [],
  );
}

/** The first people of an assessment with one opening who have not started, those who are not ready first. */
export async function listHallPeople(
  db: Queryable,
  sees: Reach,
  { quizId, opensAt }: { quizId: string; opensAt: Date | null | undefined },
  now: Date,
) {
  const state = stateAt(now);
  return db
    .select({
      invitationId: invitations.id,
      email: users.email,
      ...nameColumns(sees),
      groups: groupsColumn(NOT_EVERYONE),
      state,
    })
    .from(invitations)
    .innerJoin(quizzes, sql`${quizzes.id} = ${invitations.quizId}`)
    .innerJoin(users, sql`${users.id} = ${invitations.userId}`)
    .leftJoin(sessions, isLive(now))
    .where(
      and(
        sql`${invitations.quizId} = ${quizId}`,
        isBeforeStart(now),
        opensAt === undefined
          ? undefined
          : sql`${OPENS_AT} is not distinct from ${opensAt?.toISOString() ?? null}::timestamptz`,
      ),
    )
    .orderBy(
      sql`array_position(array['absent', 'lost', 'entered', 'waiting'], ${state})`,
      sql`${users.email}`,
      sql`${invitations.id}`,
    )
    .limit(HALL_LIMITS.namedMax);
}
