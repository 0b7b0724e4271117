import type { StoredSchedule } from '@invigil/core/domain/schedule';
import { eq, sql } from 'drizzle-orm';
import { type Queryable, runNamed } from '../database.ts';
import { prepared } from '../prepared.ts';
import { participants } from '../schema/attempts.ts';
import { invitations, users } from '../schema/invitations.ts';
import { TIMES_COLUMNS } from './schedules.ts';
import { groupsColumn, NOT_EVERYONE } from './seen-people.ts';

/** The groups of the people of some invitations, by the invitation. */
export async function listGroupsOf(
  db: Queryable,
  invitationIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await prepared(db, 'groups-of', (on) =>
    on
      .select({ id: invitations.id, groups: groupsColumn(NOT_EVERYONE) })
      .from(invitations)
      .innerJoin(users, eq(users.id, invitations.userId))
      .where(sql`${invitations.id} = any (${sql.placeholder('ids')}::uuid[])`),
  ).execute({ ids: [...invitationIds] });
  return new Map(rows.map(({ id, groups }) => [id, groups]));
}

/** Someone who waits for an opening or a common start. */
export interface WaitingPerson extends StoredSchedule {
  id: string;
  quizId: string;
  groups: string[];
  /** There was an attempt before. */
  hasAttempt: boolean;
}

/** The people of some invitations who wait. */
export async function listWaiting(
  db: Queryable,
  invitationIds: readonly string[],
): Promise<WaitingPerson[]> {
  return prepared(db, 'waiting', (on) =>
    on
      .select({
        id: invitations.id,
        quizId: invitations.quizId,
        ...TIMES_COLUMNS,
        groups: groupsColumn(NOT_EVERYONE),
        hasAttempt: sql<boolean>`exists (select from ${participants} p
          where p.invitation_id = ${invitations.id})`,
      })
      .from(invitations)
      .innerJoin(users, eq(users.id, invitations.userId))
      .where(sql`${invitations.id} = any (${sql.placeholder('ids')}::uuid[])`),
  ).execute({ ids: [...invitationIds] });
}

/** A session that is locked is left out: it starts, or its page says so again. */
const MARK_WAITING_SQL = `
with free as (
  select id from sessions where id = any ($1::uuid[]) order by id for no key update skip locked
)
update sessions s set waiting_at = $2::timestamptz from free where s.id = free.id`;

/** Records whose pages wait for a common start. */
export async function markWaiting(
  db: Queryable,
  sessionIds: readonly string[],
  now: Date,
): Promise<void> {
  await runNamed(db, {
    name: 'mark-waiting',
    text: MARK_WAITING_SQL,
    values: [[...sessionIds], now.toISOString()],
  });
}
