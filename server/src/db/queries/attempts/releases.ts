import type { Reach } from '@invigil/core/domain/rights';
import { and, desc, eq, getTableColumns, gt, isNull, ne, type SQL, sql } from 'drizzle-orm';
import type { Queryable, Tx } from '../../database.ts';
import { insertInPortions } from '../../portions.ts';
import { quizzes } from '../../schema/assessments.ts';
import { certificates, participants, resultReleases } from '../../schema/attempts.ts';
import { invitations, users } from '../../schema/invitations.ts';
import { nameColumns } from '../seen-people.ts';
import { isToReview, resultColumns } from './attempt-filter.ts';

export type ReleaseRow = typeof resultReleases.$inferSelect;

/** The latest release of an attempt's result. */
export const findRelease = (db: Queryable, participantId: string) =>
  findLatest(db, eq(resultReleases.participantId, participantId));

/** The same for its candidate: none once the invitation is revoked. */
export const findReleaseOfInvited = (db: Queryable, participantId: string) =>
  findLatest(
    db,
    and(eq(resultReleases.participantId, participantId), isNull(invitations.revokedAt)),
  );

async function findLatest(db: Queryable, where: SQL | undefined): Promise<ReleaseRow | undefined> {
  const [row] = await db
    .select(getTableColumns(resultReleases))
    .from(resultReleases)
    .innerJoin(participants, eq(participants.id, resultReleases.participantId))
    .innerJoin(invitations, eq(invitations.id, participants.invitationId))
    .where(where)
    .orderBy(desc(resultReleases.releasedAt), desc(resultReleases.id))
    .limit(1);
  return row;
}

/** Every release of an attempt's result, oldest first. */
export function listReleasesOf(db: Queryable, participantId: string): Promise<ReleaseRow[]> {
  return db
    .select()
    .from(resultReleases)
    .where(eq(resultReleases.participantId, participantId))
    .orderBy(resultReleases.releasedAt, resultReleases.id);
}

export async function insertReleases(tx: Tx, rows: ReleaseRow[]): Promise<void> {
  await insertInPortions(tx, resultReleases, rows);
}

/** An attempt for a release: its result, its rules, and the result that was released last. */
export type ReleasableRow = Awaited<ReturnType<typeof selectReleasable>>[number];

function selectReleasable(db: Queryable, where: SQL | undefined, sees: Reach = 'all') {
  return db
    .select({
      id: participants.id,
      invitationId: participants.invitationId,
      userId: participants.userId,
      email: users.email,
      ...nameColumns(sees),
      quizId: quizzes.id,
      title: quizzes.title,
      resultRules: quizzes.resultRules,
      releaseRules: quizzes.releaseRules,
      ...resultColumns,
      toReview: sql<boolean>`${isToReview}`,
      isRevoked: sql<boolean>`${invitations.revokedAt} is not null`,
      released: sql<ReleaseRow['result'] | null>`(
        select r.result from result_releases r where r.participant_id = ${participants.id}
        order by r.released_at desc, r.id desc limit 1)`,
    })
    .from(participants)
    .innerJoin(quizzes, eq(quizzes.id, participants.quizId))
    .innerJoin(invitations, eq(invitations.id, participants.invitationId))
    .innerJoin(users, eq(users.id, participants.userId))
    .where(and(isNull(participants.replacedAt), where))
    .orderBy(participants.id);
}

/** The current attempts at an assessment. */
export const listReleasable = (db: Queryable, sees: Reach, quizId: string) =>
  selectReleasable(db, eq(participants.quizId, quizId), sees);

/** `undefined` for a replaced attempt too. */
export async function findReleasable(
  db: Queryable,
  id: string,
): Promise<ReleasableRow | undefined> {
  const [row] = await selectReleasable(db, eq(participants.id, id));
  return row;
}

/** Locks attempts in the order of their ids, against another release of theirs; without replaced ones. */
export async function lockReleasable(tx: Tx, ids: readonly string[]): Promise<ReleasableRow[]> {
  const some = sql`${participants.id} = any (${sql.param([...ids])}::uuid[])`;
  await tx
    .select({ id: participants.id })
    .from(participants)
    .where(some)
    .orderBy(participants.id)
    .for('no key update');
  return selectReleasable(tx, some);
}

/** Ended attempts whose result a rule may release by itself now, and has not yet, in portions by id. */
export const listDueReleases = (db: Queryable, now: Date, after: string, limit: number) =>
  selectReleasable(
    db,
    and(
      gt(participants.id, after),
      ne(participants.status, 'in_progress'),
      isNull(invitations.revokedAt),
      sql`${quizzes.releaseRules} is not null`,
      sql`${quizzes.releaseRules} -> 'when' ->> 'kind' <> 'by_hand'`,
      sql`coalesce((${quizzes.releaseRules} -> 'when' ->> 'at')::timestamptz <= ${now.toISOString()}::timestamptz, true)`,
      sql`${participants.verdict} is distinct from 'breach'`,
      sql`(${participants.status} <> 'dismissed' or ${participants.verdict} is not null)`,
      sql`(${quizzes.releaseRules} -> 'when' ->> 'kind' <> 'reviewed' or not (${isToReview}))`,
      sql`not exists (select from result_releases r where r.participant_id = ${participants.id})`,
    ),
  ).limit(limit);

/**
 * Attempts whose released result promises a certificate that was not issued, or that says something else, in
 * portions by id. One that was revoked is issued again by hand only.
 */
export async function listDueCertificates(
  db: Queryable,
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select p.id from ${participants} p
    join ${quizzes} q on q.id = p.quiz_id and q.release_rules -> 'parts' ? 'certificate'
    join ${invitations} i on i.id = p.invitation_id and i.revoked_at is null
    join lateral (
      select r.result from ${resultReleases} r where r.participant_id = p.id
      order by r.released_at desc, r.id desc limit 1) r
      on r.result -> 'outcome' ->> 'result' = 'passed'
    left join lateral (
      select c.content, c.revoked_at from ${certificates} c where c.participant_id = p.id
      order by c.issued_at desc, c.number desc limit 1) c on true
    where p.id > ${after}::uuid and p.replaced_at is null and p.verdict is distinct from 'breach'
      and c.revoked_at is null and (c.content is null
        or c.content ? 'percent' and c.content -> 'percent' <> r.result -> 'percent'
        or c.content ? 'grade' and c.content -> 'grade' <> r.result -> 'outcome' -> 'grade')
    order by p.id limit ${limit}`);
  return rows.map(({ id }) => id);
}
