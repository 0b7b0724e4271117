import type { ReleaseCourse, ReleasedResult } from '@invigil/core/domain/results/outcome';
import type { Reach } from '@invigil/core/domain/rights';
import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  ne,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import type { Queryable, Tx } from '../../database.ts';
import { insertInPortions } from '../../portions.ts';
import { quizzes } from '../../schema/assessments.ts';
import { certificates, participants, resultReleases } from '../../schema/attempts.ts';
import { invitations, users } from '../../schema/invitations.ts';
import { isOpenToInvited } from '../quizzes.ts';
import { nameColumns } from '../seen-people.ts';
import { isToReview, resultColumns } from './attempt-filter.ts';
import { STANDS } from './attempts.ts';
import { listCertificatesOf } from './certificates.ts';

export type ReleaseRow = typeof resultReleases.$inferSelect;

/** A release that was not taken back, of which the latest of an attempt counts. */
const counts = (result: SQLWrapper) => sql`${result} -> 'course' ->> 'takenBackAt' is null`;
const COUNTS = counts(resultReleases.result);

/** The released result of an attempt that counts, with its course. */
const latestOf = (participantId: SQLWrapper) => sql`(
  select r.result from result_releases r
  where r.participant_id = ${participantId} and ${counts(sql`r.result`)}
  order by r.released_at desc, r.id desc limit 1)`;

/** The latest release of an attempt's result that counts. */
export const findRelease = (db: Queryable, participantId: string) =>
  findLatest(db, eq(resultReleases.participantId, participantId));

/** The same for its candidate: none once the invitation is revoked, or where another attempt counts. */
export const findReleaseOfInvited = (db: Queryable, participantId: string) =>
  findLatest(
    db,
    and(
      eq(resultReleases.participantId, participantId),
      isNull(invitations.revokedAt),
      isNull(participants.replacedAt),
    ),
  );

async function findLatest(db: Queryable, where: SQL | undefined): Promise<ReleaseRow | undefined> {
  const [row] = await db
    .select(getTableColumns(resultReleases))
    .from(resultReleases)
    .innerJoin(participants, eq(participants.id, resultReleases.participantId))
    .innerJoin(invitations, eq(invitations.id, participants.invitationId))
    .where(and(where, COUNTS))
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

/**
 * Locks the assessments of some attempts against other rules of their release: one that takes results back must
 * find each that is being released, or be read by it.
 */
export async function lockRulesOf(tx: Tx, ids: readonly string[]): Promise<void> {
  const own = tx
    .select({ id: participants.quizId })
    .from(participants)
    .where(sql`${participants.id} = any (${sql.param([...ids])}::uuid[])`);
  await tx
    .select({ id: quizzes.id })
    .from(quizzes)
    .where(inArray(quizzes.id, own))
    .orderBy(asc(quizzes.id))
    .for('share');
}

/** Locks one release, or all of an assessment, where they count, and returns their ids. */
export async function lockReleases(
  tx: Tx,
  of: { quizId: string } | { releaseId: string },
): Promise<string[]> {
  const rows = await tx
    .select({ id: resultReleases.id })
    .from(resultReleases)
    .where(
      and(
        COUNTS,
        'releaseId' in of
          ? eq(resultReleases.id, of.releaseId)
          : inArray(
              resultReleases.participantId,
              tx
                .select({ id: participants.id })
                .from(participants)
                .where(eq(participants.quizId, of.quizId)),
            ),
      ),
    )
    .orderBy(asc(resultReleases.id))
    .for('no key update');
  return rows.map(({ id }) => id);
}

/** Adds to what became of some locked releases; what is known already stays. */
export async function noteReleases(
  tx: Tx,
  ids: readonly string[],
  course: ReleaseCourse,
): Promise<void> {
  const known = sql`coalesce(${resultReleases.result} -> 'course', '{}')`;
  await tx.execute(sql`
    update ${resultReleases}
    set result = jsonb_set(${resultReleases.result}, '{course}', ${JSON.stringify(course)}::jsonb || ${known})
    where ${resultReleases.id} = any (${sql.param([...ids])}::uuid[])`);
}

/** An attempt for a release: its result, its rules, and the result that was released last. */
export type ReleasableRow = Awaited<ReturnType<typeof selectReleasable>>[number];

const CURRENT = isNull(participants.replacedAt);

function selectReleasable(
  db: Queryable,
  where: SQL | undefined,
  sees: Reach = 'all',
  which: SQL = CURRENT,
) {
  return db
    .select({
      id: participants.id,
      invitationId: participants.invitationId,
      userId: participants.userId,
      email: users.email,
      language: participants.language,
      ...nameColumns(sees),
      quizId: quizzes.id,
      title: quizzes.title,
      resultRules: quizzes.resultRules,
      releaseRules: quizzes.releaseRules,
      endDate: quizzes.endDate,
      ...resultColumns,
      toReview: sql<boolean>`${isToReview}`,
      isRevoked: sql<boolean>`${invitations.revokedAt} is not null`,
      released: sql<ReleasedResult | null>`${latestOf(participants.id)} - 'course'`,
      lastReleasedAt: sql<Date | null>`(
        select max(r.released_at) from result_releases r
        where r.participant_id = ${participants.id})`.mapWith(resultReleases.releasedAt),
      isSeen: sql<boolean>`coalesce(${latestOf(participants.id)} -> 'course' ? 'seenAt', false)`,
    })
    .from(participants)
    .innerJoin(quizzes, eq(quizzes.id, participants.quizId))
    .innerJoin(invitations, eq(invitations.id, participants.invitationId))
    .innerJoin(users, eq(users.id, participants.userId))
    .where(and(which, where))
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

/** The same with one that another attempt of the person has followed by rule; what became of its result since. */
export async function findCertified(
  db: Queryable,
  id: string,
): Promise<(ReleasableRow & { followedBy: FollowedBy | null }) | undefined> {
  const [row] = await selectReleasable(db, eq(participants.id, id), 'all', STANDS);
  if (!row) return undefined;
  const [other] = await selectReleasable(db, eq(participants.invitationId, row.invitationId));
  if (!other || other.id === id) return { ...row, followedBy: null };
  const { status, released } = other;
  const [latest] = await listCertificatesOf(db, other.id);
  return { ...row, followedBy: { status, released, isCertified: latest?.revokedAt === null } };
}

/** The attempt that runs or counts in place of another one. */
type FollowedBy = Pick<ReleasableRow, 'status' | 'released'> & { isCertified: boolean };

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
      sql`not exists (select from result_releases r
        where r.participant_id = ${participants.id} and ${counts(sql`r.result`)})`,
    ),
  ).limit(limit);

/** Whether another attempt is left for a row of `invitations`, joined with its assessment and the attempt that counts. */
const hasRetakes = sql`${participants.status} = 'completed' and (
  select count(*) from participants a
  where a.invitation_id = ${invitations.id} and coalesce(a.replaced_how, 'retake') = 'retake'
) < coalesce(${invitations.attempts}, (${quizzes.retakes} -> 'attempts')::int, 1)`;

/**
 * Counts who could learn right answers of an assessment from others, as long as it is open: invited people
 * without a current attempt or with another one left by rule (`retakeAfter`, whatever its wait), and those under way.
 */
export async function countUnfinished(
  db: Queryable,
  quizId: string,
): Promise<{ canStart: number; running: number }> {
  const [row] = await db
    .select({
      canStart: sql<number>`count(*) filter (where ${participants.id} is null or ${hasRetakes})::int`,
      running: sql<number>`count(*) filter (where ${participants.status} = 'in_progress')::int`,
    })
    .from(invitations)
    .innerJoin(quizzes, eq(quizzes.id, invitations.quizId))
    .innerJoin(users, and(eq(users.id, invitations.userId), isNotNull(users.email)))
    .leftJoin(
      participants,
      and(eq(participants.invitationId, invitations.id), isNull(participants.replacedAt)),
    )
    .where(
      and(
        eq(invitations.quizId, quizId),
        or(isNull(invitations.revokedAt), eq(participants.status, 'in_progress')),
      ),
    );
  return row ?? { canStart: 0, running: 0 };
}

/** Whether anyone takes an assessment, or can still start by a rule for them alone. */
export async function isAnyUnderWay(db: Queryable, quizId: string, now: Date): Promise<boolean> {
  const under = db
    .select({ id: participants.id })
    .from(participants)
    .where(and(eq(participants.quizId, quizId), eq(participants.status, 'in_progress')));
  const invited = db
    .select({ id: invitations.id })
    .from(invitations)
    .innerJoin(quizzes, eq(quizzes.id, invitations.quizId))
    .where(
      and(
        eq(invitations.quizId, quizId),
        isNotNull(invitations.ownTimes),
        isNull(invitations.revokedAt),
        isOpenToInvited(now),
      ),
    );
  const rows = await unionAll(under, invited).limit(1);
  return rows.length > 0;
}

/**
 * The people who have had right answers of an assessment before them, in any attempt.
 *
 * @param canRead whether those count too who can read them now
 */
export async function countKeySeen(
  db: Queryable,
  quizId: string,
  canRead: boolean,
): Promise<number> {
  const [row] = await db
    .select({ people: sql<number>`count(distinct ${participants.userId})::int` })
    .from(resultReleases)
    .innerJoin(participants, eq(participants.id, resultReleases.participantId))
    .innerJoin(invitations, eq(invitations.id, participants.invitationId))
    .where(
      and(
        eq(participants.quizId, quizId),
        or(
          sql`${resultReleases.result} -> 'course' ? 'keySeenAt'`,
          canRead
            ? and(COUNTS, isNull(participants.replacedAt), isNull(invitations.revokedAt))
            : undefined,
        ),
      ),
    );
  return row?.people ?? 0;
}

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
    join lateral ${latestOf(sql`p.id`)} r
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
