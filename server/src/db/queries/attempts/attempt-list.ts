import type { SubmissionType } from '@invigil/core/domain/attempt';
import type { Reach } from '@invigil/core/domain/rights';
import { and, desc, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../database.ts';
import { quizzes } from '../../schema/assessments.ts';
import { participants } from '../../schema/attempts.ts';
import { invitations, users } from '../../schema/invitations.ts';
import { isKnown, personColumns } from '../seen-people.ts';
import { conditions, isToReview, type ParticipantFilter, resultColumns } from './attempt-filter.ts';

/** The columns of an attempt for list and report, with its assessment and the address of its person. */
const listColumns = {
  id: participants.id,
  userId: participants.userId,
  quizId: participants.quizId,
  userEmail: users.email,
  quizTitle: quizzes.title,
  ...resultColumns,
  resultRules: quizzes.resultRules,
  countedViolations: participants.countedViolations,
  violationCalls: participants.violationCalls,
  startedAt: participants.startedAt,
  submittedAt: participants.submittedAt,
  pausedUntil: participants.pausedUntil,
  pausedMs: participants.pausedMs,
  submissionType: sql<SubmissionType | null>`${participants.submissionType}`,
  attempt: participants.attempt,
  replacedHow: participants.replacedHow,
  toReview: sql<boolean>`${isToReview}`,
  fullscreenExits: participants.fullscreenExits,
  tabSwitches: participants.tabSwitches,
  reviewFlags: participants.reviewFlags,
  violationLimit: sql<number | null>`(
    select (p.settings -> 'limits' ->> 'combined')::int from quiz_policies p
    where p.quiz_id = ${participants.quizId} and p.version = ${participants.policyVersion}
  )`,
  answered: sql<number>`coalesce(${participants.answeredCount}, (
    select count(*)::int from answers a
    where a.participant_id = ${participants.id} and (a.option_id is not null or a.response is not null)
  ))`,
};

/** A row of the list and of the report. */
export type ParticipantListRow = Awaited<ReturnType<typeof selectRows>>[number];

/** Attempts as the lists show them to someone who sees people there. */
export function selectRows(db: Queryable, sees: Reach) {
  return db
    .select({ ...listColumns, ...personColumns(sees) })
    .from(participants)
    .innerJoin(users, eq(users.id, participants.userId))
    .innerJoin(invitations, eq(invitations.id, participants.invitationId))
    .innerJoin(quizzes, eq(quizzes.id, participants.quizId));
}

/** One row by id, replaced ones included. */
export async function findListedParticipant(
  db: Queryable,
  sees: Reach,
  id: string,
): Promise<ParticipantListRow | undefined> {
  const [row] = await selectRows(db, sees).where(eq(participants.id, id));
  return row;
}

export function listAttemptsById(
  db: Queryable,
  sees: Reach,
  ids: string[],
): Promise<ParticipantListRow[]> {
  return selectRows(db, sees).where(sql`${participants.id} = any (${sql.param(ids)}::uuid[])`);
}

/** Every attempt of a person at a quiz, replaced ones included, newest first. */
export function listAttempts(
  db: Queryable,
  sees: Reach,
  userId: string,
  quizId?: string,
): Promise<ParticipantListRow[]> {
  return selectRows(db, sees)
    .where(
      and(
        eq(participants.userId, userId),
        quizId === undefined ? undefined : eq(participants.quizId, quizId),
      ),
    )
    .orderBy(desc(participants.startedAt), desc(participants.attempt));
}

/**
 * The next rows of the report, by start; continue from the last row's start and id. Keyset instead of
 * offset: each step costs the same however long the report is.
 */
export function nextReportRows(
  db: Queryable,
  filter: ParticipantFilter,
  after: { startedAt: Date; id: string } | undefined,
  limit: number,
): Promise<ParticipantListRow[]> {
  const from = after
    ? sql`(${participants.startedAt}, ${participants.id}) < (${after.startedAt.toISOString()}::timestamptz, ${after.id}::uuid)`
    : undefined;
  return selectRows(db, filter.sees)
    .where(and(conditions(filter), from))
    .orderBy(desc(participants.startedAt), desc(participants.id))
    .limit(limit);
}

export const countParticipants = (db: Queryable, filter: ParticipantFilter): Promise<number> =>
  db.$count(participants, conditions(filter));

/** Whether more than the address is known of anyone in a report. */
export const areKnown = (db: Queryable, filter: ParticipantFilter) =>
  isAny(db, filter, isKnown(filter.sees));

/** Whether any of the matching attempts has points. */
export const havePoints = (db: Queryable, filter: ParticipantFilter) =>
  isAny(db, filter, isNotNull(participants.maxPoints));

/** Whether any of the matching attempts can have an outcome. */
export const haveRules = (db: Queryable, filter: ParticipantFilter) =>
  isAny(db, filter, isNotNull(quizzes.resultRules));

async function isAny(db: Queryable, filter: ParticipantFilter, what: SQL): Promise<boolean> {
  const rows = await db
    .select({ id: participants.id })
    .from(participants)
    .innerJoin(users, eq(users.id, participants.userId))
    .innerJoin(invitations, eq(invitations.id, participants.invitationId))
    .innerJoin(quizzes, eq(quizzes.id, participants.quizId))
    .where(and(conditions(filter), what))
    .limit(1);
  return rows.length > 0;
}
