import type { Reach } from '@invigil/core/domain/rights';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../db/database.ts';
import type { PageWindow } from '../../db/page-window.ts';
import { conditions, type ParticipantFilter } from '../../db/queries/attempts/attempt-filter.ts';
import { type ParticipantListRow, selectRows } from '../../db/queries/attempts/attempt-list.ts';
import { timeSpent } from '../../db/queries/attempts/attempts.ts';
import { nameToSortBy } from '../../db/queries/seen-people.ts';
import { quizzes } from '../../db/schema/assessments.ts';
import { participants } from '../../db/schema/attempts.ts';
import { users } from '../../db/schema/invitations.ts';

/** The order of a list; ties are always ordered by id, so that pages never overlap. */
export interface ParticipantOrder {
  sort:
    | 'startedAt'
    | 'submittedAt'
    | 'userEmail'
    | 'userName'
    | 'quizTitle'
    | 'score'
    | 'status'
    | 'timeSpent'
    | 'violationCount';
  order: 'asc' | 'desc';
}

/** Columns that may be null. The others use the plain order, which matches the indexes. */
const CAN_BE_NULL: ReadonlySet<ParticipantOrder['sort']> = new Set([
  'submittedAt',
  'userEmail',
  'userName',
  'score',
]);

/** While in progress, the time spent so far sorts like the start in reverse. */
function sortColumn({ sort }: ParticipantOrder, sees: Reach, now: Date): SQL {
  switch (sort) {
    case 'startedAt':
      return sql`${participants.startedAt}`;
    case 'submittedAt':
      return sql`${participants.submittedAt}`;
    case 'userEmail':
      return sql`lower(${users.email})`;
    case 'userName':
      return nameToSortBy(sees);
    case 'quizTitle':
      return sql`${quizzes.title} collate "und-x-icu"`;
    case 'score':
      // The score in the list, as in the index: points, or correct answers as points.
      return sql`coalesce(${participants.points}, ${participants.score} * 10000)`;
    case 'status':
      return sql`${participants.status}`;
    case 'timeSpent':
      return timeSpent(
        sql`coalesce(${participants.submittedAt}, ${now.toISOString()}::timestamptz)`,
      );
    case 'violationCount':
      return sql`greatest(${participants.countedViolations}, ${participants.violationCalls})`;
  }
}

/**
 * The direction for each column of an order. An attempt without the value sorts below any with one,
 * as in the indexes.
 */
function directed(
  { sort, order }: ParticipantOrder,
  fromEnd: boolean,
): { of(column: SQL): SQL; byId: SQL } {
  const isAscending = (order === 'asc') !== fromEnd;
  const nulls = CAN_BE_NULL.has(sort)
    ? isAscending
      ? sql` nulls first`
      : sql` nulls last`
    : sql``;
  const direction = isAscending ? sql`asc` : sql`desc`;
  return {
    of: (column) => sql`${column} ${direction}${nulls}`,
    byId: sql`${participants.id} ${direction}`,
  };
}

/**
 * The ids of one page, found from indexes alone; the other columns are read for these few rows
 * only, not for all that are skipped.
 */
function pageIds(
  filter: ParticipantFilter,
  order: ParticipantOrder,
  { limit, offset, fromEnd }: PageWindow,
  now: Date,
): SQL {
  const where = conditions(filter);
  const { of, byId } = directed(order, fromEnd);
  const page = sql`limit ${limit} offset ${offset}`;
  switch (order.sort) {
    case 'quizTitle':
      // One assessment (there are few) after another, instead of sorting all attempts by title.
      // `offset 0` keeps the planner from reordering the inner query.
      return sql`select participants.id
        from (select id, title collate "und-x-icu" as title from quizzes order by ${of(sql`title`)}) named
        cross join lateral (
          select participants.id from participants
          where participants.quiz_id = named.id and ${where} offset 0
        ) participants
        order by ${of(sql`named.title`)}, ${byId} ${page}`;
    case 'userEmail':
    case 'userName':
      return sql`select participants.id
        from participants join users on users.id = participants.user_id
          join invitations on invitations.id = participants.invitation_id
        where ${where} order by ${of(sortColumn(order, filter.sees, now))}, ${byId} ${page}`;
    default:
      return sql`select participants.id from participants
        where ${where} order by ${of(sortColumn(order, filter.sees, now))}, ${byId} ${page}`;
  }
}

/** A page of the current attempts; in reverse order when it is read from the end. */
export function pageParticipants(
  db: Queryable,
  filter: ParticipantFilter,
  order: ParticipantOrder,
  window: PageWindow,
  now: Date,
): Promise<ParticipantListRow[]> {
  const { of, byId } = directed(order, window.fromEnd);
  return selectRows(db, filter.sees)
    .where(sql`${participants.id} in (${pageIds(filter, order, window, now)})`)
    .orderBy(of(sortColumn(order, filter.sees, now)), byId);
}
