import type { AttemptStatus, Verdict } from '@invigil/core/domain/attempt';
import type { Reach } from '@invigil/core/domain/rights';
import { and, eq, isNull, lte, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { containsFolded } from '../../contains.ts';
import type { Queryable } from '../../database.ts';
import { quizzes } from '../../schema/assessments.ts';
import { participants } from '../../schema/attempts.ts';
import { invitations, users } from '../../schema/invitations.ts';
import { ofQuizWithin } from '../places.ts';
import { knownContains, personContains } from '../seen-people.ts';

export interface ParticipantFilter {
  userId?: string | undefined;
  quizId?: string | undefined;
  status?: AttemptStatus | undefined;
  search?: string | undefined;
  /** Only attempts that wait for a review, or that have this verdict. */
  review?: 'open' | Verdict | undefined;
  result?: 'passed' | 'failed' | undefined;
  /** The result of `findMatches` for the search. */
  matches?: SearchMatches | undefined;
  /** Only attempts started until then: pages stay stable while rows arrive. */
  asOf?: Date | undefined;
  /** Only attempts at assessments in it. */
  reach?: Reach | undefined;
  /** The objects of which the reader sees people: no one is found by hidden details. */
  sees: Reach;
}

/** Right answers of all questions, and points where questions have them. */
export const scoreColumns = {
  score: participants.score,
  totalMarks: participants.totalMarks,
  points: participants.points,
  maxPoints: participants.maxPoints,
  countsRight: participants.countsRight,
};

/** The columns of an attempt that `outcomeOf` of core needs. */
export const resultColumns = {
  ...scoreColumns,
  status: sql<AttemptStatus>`${participants.status}`,
  verdict: sql<Verdict | null>`${participants.verdict}`,
  sections: participants.sections,
};

/**
 * Ended, with a counted violation or a flag for review, and without a verdict. Must match the condition
 * of the partial index `participants_to_review`.
 */
export const isToReview = sql`${participants.verdict} is null and ${participants.status} <> 'in_progress'
  and ${participants.countedViolations} + ${participants.violationCalls} + ${participants.fullscreenExits} + ${participants.tabSwitches} + ${participants.reviewFlags} > 0`;

/** The filter in SQL; conditions on attempts only, so that it needs no other table. */
export function conditions(filter: ParticipantFilter): SQL | undefined {
  const { userId, quizId, status, search, review, result, asOf, reach = 'all', sees } = filter;
  return and(
    isNull(participants.replacedAt),
    ofQuizWithin(reach, participants.quizId),
    userId === undefined ? undefined : eq(participants.userId, userId),
    quizId === undefined ? undefined : eq(participants.quizId, quizId),
    status === undefined ? undefined : eq(participants.status, status),
    review === undefined
      ? undefined
      : review === 'open'
        ? isToReview
        : eq(participants.verdict, review),
    result === undefined ? undefined : hasResult(result),
    asOf === undefined ? undefined : lte(participants.startedAt, asOf),
    search === undefined || search === '' ? undefined : matching(sees, search, filter.matches),
  );
}

/** `percentOf` of core in SQL, which rounds numbers of any size exactly. */
const percentSql = (points: SQL, maxPoints: SQL) =>
  sql`floor((${points} * 20000 + ${maxPoints}) / (2 * ${maxPoints})) / 100`;

/**
 * `outcomeOf` of core as a condition, so that pages are read by the database. A property test compares them.
 */
export function hasResult(result: 'passed' | 'failed'): SQL {
  const p = participants;
  const [got, most] = [sql`r.got`, sql`r.most`];
  const passed = sql`${p.verdict} is distinct from 'breach'
    and (${p.status} = 'completed' or ${p.verdict} is not distinct from 'no_concern')
    and case when r.mark ? 'percent' then ${percentSql(got, most)} >= (r.mark ->> 'percent')::numeric
      else r.got >= round((r.mark ->> 'points')::numeric * 10000) end
    and not exists (
      select from jsonb_to_recordset(${p.sections}) s(id text, title text, points numeric, "maxPoints" numeric)
      join jsonb_to_recordset(r.section_marks) m(id text, title text, percent numeric)
        on coalesce(m.id, m.title) = coalesce(s.id, s.title)
      where s."maxPoints" > 0 and ${percentSql(sql`s.points`, sql`s."maxPoints"`)} < m.percent)`;
  return sql`${p.status} <> 'in_progress' and exists (
    select from ${quizzes} q
    cross join lateral (
      select nullif(q.result_rules -> 'passMark', 'null') as mark,
        q.result_rules -> 'sectionMarks' as section_marks,
        coalesce(${p.points}, ${p.score} * 10000)::numeric as got,
        case when ${p.points} is null or ${p.maxPoints} is null then ${p.totalMarks} * 10000
          else ${p.maxPoints} end::numeric as most) r
    where q.id = ${p.quizId} and r.mark is not null and r.most > 0
      and ${result === 'passed' ? passed : sql`not (${passed})`})`;
}

/**
 * Invitations of people, and attempts, that a search found beforehand; `undefined` when they are too many.
 */
interface SearchMatches {
  invitationIds: string[] | undefined;
  ids: string[] | undefined;
}

/** Person or id contains the text; `%` and `_` are plain characters (product 10). */
function matching(sees: Reach, search: string, found: SearchMatches | undefined): SQL | undefined {
  const byPerson = found?.invitationIds
    ? isOneOf(participants.invitationId, found.invitationIds)
    : sql`${participants.invitationId} in (${invitationsOf(sees, search)})`;
  if (!canBeInId(search)) return byPerson;
  return or(byPerson, found?.ids ? isOneOf(participants.id, found.ids) : idContains(search));
}

/** The ids of the invitations of people whom a search finds. */
function invitationsOf(sees: Reach, search: string): SQL {
  const from = sql`select ${invitations.id} from ${invitations} join ${users} on users.id = invitations.user_id`;
  const contains = personContains(sees, search);
  if (sees !== 'all') {
    return sql`${from} where ${and(contains, ofQuizWithin(sees, invitations.quizId))}`;
  }
  // Invitations with typed details are matched apart: put together for each invitation, all texts take ten
  // times as long.
  return sql`${from} where ${knownContains(search)}
    union ${from} where ${invitations.entered} is not null and ${contains}`;
}

function isOneOf(column: SQLWrapper, ids: string[]): SQL {
  return sql`${column} = any (${sql.param(ids)}::uuid[])`;
}

function canBeInId(search: string): boolean {
  return /^[0-9a-f-]+$/i.test(search);
}

function idContains(search: string): SQL {
  return containsFolded(sql`${participants.id}::text`, search);
}

/** More are not worth collecting. */
const MOST_MATCHES = 1_000;

/**
 * The people and attempts that a search finds. Scanning the texts is its main cost; done once beforehand,
 * page and count need only an index.
 */
export async function findMatches(
  db: Queryable,
  sees: Reach,
  search: string | undefined,
): Promise<SearchMatches | undefined> {
  if (search === undefined || search === '') return undefined;
  const few = (rows: { id: string }[]) =>
    rows.length > MOST_MATCHES ? undefined : rows.map((row) => row.id);
  const [people, attempts] = await Promise.all([
    db
      .execute<{ id: string }>(sql`${invitationsOf(sees, search)} limit ${MOST_MATCHES + 1}`)
      .then(({ rows }) => rows),
    canBeInId(search)
      ? db
          .select({ id: participants.id })
          .from(participants)
          .where(and(isNull(participants.replacedAt), idContains(search)))
          .limit(MOST_MATCHES + 1)
      : [],
  ]);
  return { invitationIds: few(people), ids: few(attempts) };
}
