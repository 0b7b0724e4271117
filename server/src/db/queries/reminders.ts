import type { Reminders } from '@invigil/core/domain/schedule';
import { and, asc, eq, gt, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { Queryable, Tx } from '../database.ts';
import { quizzes } from '../schema/assessments.ts';
import { participants } from '../schema/attempts.ts';
import { invitations, users } from '../schema/invitations.ts';
import { isOpenToInvited } from './quizzes.ts';
import { LAST_START, OPENS_AT } from './schedules.ts';

/** Names what a reminder comes before. */
export type Reminded = 'opening' | 'end';

/** Whether the person of a row of `invitations` joined with `quizzes` can still begin, and has not. */
export const mayBeReminded = (now: Date): SQL => sql`(${isOpenToInvited(now)}
  and ${invitations.revokedAt} is null
  and not exists (select from ${participants} p
    where p.invitation_id = ${invitations.id} and p.replaced_at is null))`;

/** So many hours before a moment. */
const before = (moment: SQL, rule: keyof Reminders): SQL =>
  sql`${moment} - (${quizzes.reminders} ->> ${rule}::text)::int * interval '1 hour'`;

/**
 * That a reminder is due, and was not when the person was invited or the rule set: nobody gets one that is late for
 * them. The end is the latest start, where there is one; a reminder before it does not come before the opening.
 */
function isDue(now: Date): SQL {
  const at = sql`${now.toISOString()}::timestamptz`;
  const hasCome = (moment: SQL) => sql`${moment} between
    greatest(${invitations.lastInvitedAt}, (${quizzes.reminders} ->> 'since')::timestamptz) and ${at}`;
  const beforeEnd = sql`greatest(${before(LAST_START, 'beforeEnd')}, ${OPENS_AT})`;
  return sql`(case when ${OPENS_AT} > ${at}
    then ${invitations.remindedOfOpening} is null and ${hasCome(before(OPENS_AT, 'beforeOpening'))}
    else ${invitations.remindedOfEnd} is null and ${before(LAST_START, 'beforeEnd')} is not null
      and ${hasCome(beforeEnd)} end)`;
}

/** Invitations to whose people a reminder is due, by their ids from one on. */
export async function listDueReminders(
  db: Queryable,
  now: Date,
  which: { after: string; most: number } | { ids: readonly string[] },
) {
  const { id } = invitations;
  return db
    .select({
      invitation: invitations,
      email: users.email,
      of: sql<Reminded>`case when ${OPENS_AT} > ${now.toISOString()}::timestamptz then 'opening' else 'end' end`,
    })
    .from(invitations)
    .innerJoin(quizzes, eq(quizzes.id, invitations.quizId))
    .innerJoin(users, eq(users.id, invitations.userId))
    .where(
      and(
        isNotNull(quizzes.reminders),
        isNotNull(users.email),
        'ids' in which ? inArray(id, [...which.ids]) : gt(id, which.after),
        mayBeReminded(now),
        isDue(now),
      ),
    )
    .orderBy(asc(id))
    .limit('ids' in which ? which.ids.length : which.most);
}

/** Locks invitations in the order of a start. */
export async function lockForReminders(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx
    .select({ id: invitations.id })
    .from(invitations)
    .where(inArray(invitations.id, [...ids]))
    .orderBy(asc(invitations.userId), asc(invitations.id))
    .for('no key update');
}

/** Notes that people were reminded; `isNull` keeps the first time. */
export async function noteReminded(
  tx: Tx,
  ids: readonly string[],
  of: Reminded,
  now: Date,
): Promise<void> {
  const set = of === 'opening' ? { remindedOfOpening: now } : { remindedOfEnd: now };
  const column = of === 'opening' ? invitations.remindedOfOpening : invitations.remindedOfEnd;
  await tx
    .update(invitations)
    .set(set)
    .where(and(inArray(invitations.id, [...ids]), isNull(column)));
}
