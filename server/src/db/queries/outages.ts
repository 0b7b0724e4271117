import type { AttemptStatus, Pause, SubmissionType } from '@invigil/core/domain/attempt';
import { and, desc, eq, gte, isNull, sql } from 'drizzle-orm';
import type { Queryable, Tx } from '../database.ts';
import { newId } from '../new-id.ts';
import { quizzes } from '../schema/assessments.ts';
import { participants } from '../schema/attempts.ts';
import { outages } from '../schema/installation.ts';
import { invitations, users } from '../schema/invitations.ts';
import { appliedActions } from '../schema/monitoring.ts';
import { type PersonColumns, personColumns } from './seen-people.ts';

export type OutageRow = typeof outages.$inferSelect;

/** Stores that the service was down. */
export async function insertOutage(tx: Tx, beganAt: Date, endedAt: Date): Promise<void> {
  await tx.insert(outages).values({ id: newId(), beganAt, endedAt });
}

/** Outages that ended since a moment, the latest first. */
export function listOutages(db: Queryable, since: Date): Promise<OutageRow[]> {
  return db
    .select()
    .from(outages)
    .where(gte(outages.endedAt, since))
    .orderBy(desc(outages.endedAt));
}

export async function findOutage(db: Queryable, id: string): Promise<OutageRow | undefined> {
  const [row] = await db.select().from(outages).where(eq(outages.id, id));
  return row;
}

/** An attempt that was under way in an outage, and when nothing was heard of it around that. */
export interface Affected extends Omit<Pause, 'pausedMs'>, PersonColumns {
  id: string;
  quizTitle: string;
  userEmail: string | null;
  status: AttemptStatus;
  submissionType: SubmissionType | null;
  silentFrom: Date;
  silentUntil: Date;
}

/**
 * Current attempts that were under way in an outage and have got nothing for it yet. The silence of each is the gap in its events that overlaps the
 * outage; without one, the time since it was last seen.
 */
export async function listAffected(
  db: Queryable,
  { id: outageId, beganAt, endedAt }: OutageRow,
  now: Date,
): Promise<Affected[]> {
  const [from, until] = [beganAt.toISOString(), endedAt.toISOString()];
  const { id, submittedAt, lastSeenAt, pausedAt, pausedUntil } = participants;
  const gapFrom = sql`(e.details ->> 'from')::timestamptz`;
  const gap = db
    .select({
      gapFrom: sql<Date | null>`${gapFrom}`.as('gap_from'),
      gapUntil: sql<Date | null>`e.at`.as('gap_until'),
    })
    .from(sql`participant_events e`)
    .where(
      sql`e.participant_id = ${id} and e.kind = 'gap' and e.at > ${from}::timestamptz
        and ${gapFrom} < ${until}::timestamptz`,
    )
    .orderBy(sql`e.at`)
    .limit(1)
    .as('gap');
  const rows = await db
    .select({
      ...{ id, pausedAt, pausedUntil, lastSeenAt, submittedAt },
      quizTitle: quizzes.title,
      userEmail: users.email,
      ...personColumns('all'),
      status: sql<AttemptStatus>`${participants.status}`,
      submissionType: sql<SubmissionType | null>`${participants.submissionType}`,
      gapFrom: gap.gapFrom,
      gapUntil: gap.gapUntil,
    })
    .from(participants)
    .innerJoin(users, eq(users.id, participants.userId))
    .innerJoin(invitations, eq(invitations.id, participants.invitationId))
    .innerJoin(quizzes, eq(quizzes.id, participants.quizId))
    .leftJoinLateral(gap, sql`true`)
    .where(
      and(
        isNull(participants.replacedAt),
        sql`not exists (select from ${appliedActions} a
          where a.participant_id = ${id} and a.action_id = ${outageId})`,
        sql`${participants.startedAt} < ${until}::timestamptz`,
        sql`coalesce(${submittedAt}, 'infinity') > ${from}::timestamptz`,
      ),
    )
    .orderBy(quizzes.title, id);
  return rows.map(({ gapFrom, gapUntil, lastSeenAt, submittedAt, ...row }) => ({
    ...row,
    silentFrom: gapFrom === null ? lastSeenAt : new Date(gapFrom),
    silentUntil: gapUntil === null ? (submittedAt ?? now) : new Date(gapUntil),
  }));
}
