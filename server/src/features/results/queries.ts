import type { NegativeMarks } from '@invigil/core/domain/questions/scoring';
import type { Reach } from '@invigil/core/domain/rights';
import {
  and,
  asc,
  eq,
  getTableColumns,
  gte,
  isNull,
  lt,
  ne,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { onlyRow, type Queryable, type Tx } from '../../db/database.ts';
import { resultColumns } from '../../db/queries/attempts/attempt-filter.ts';
import { timeSpent } from '../../db/queries/attempts/attempts.ts';
import { groupsColumn, nameColumns } from '../../db/queries/seen-people.ts';
import { questionVersions } from '../../db/schema/assessments.ts';
import { participants } from '../../db/schema/attempts.ts';
import { invitations, users } from '../../db/schema/invitations.ts';

/** The current attempts at an assessment that have ended. */
const endedOf = (quizId: string) =>
  and(
    eq(participants.quizId, quizId),
    isNull(participants.replacedAt),
    ne(participants.status, 'in_progress'),
  );

/** The results of the current attempts at an assessment that have ended, and whose they are. */
export function listResults(db: Queryable, sees: Reach, quizId: string) {
  return db
    .select({
      id: participants.id,
      ...resultColumns,
      userId: participants.userId,
      userEmail: users.email,
      ...nameColumns(sees),
    })
    .from(participants)
    .innerJoin(users, eq(users.id, participants.userId))
    .innerJoin(invitations, eq(invitations.id, participants.invitationId))
    .where(endedOf(quizId))
    .orderBy(asc(participants.submittedAt), asc(participants.id));
}

/** The sections on the papers of an assessment, also on those of running and replaced attempts. */
export async function listPaperSections(db: Queryable, quizId: string) {
  const { rows } = await db.execute<{ id: string; title: string }>(sql`
    select distinct coalesce(s ->> 'id', s ->> 'title') as id, s ->> 'title' as title
    from ${participants}, jsonb_array_elements(${participants.sections}) s
    where ${participants.quizId} = ${quizId}
    order by title, id`);
  return rows;
}

/** Ended attempts whose sections have no points yet: they ended before sections were scored. */
export const listUnscoredSections = (tx: Tx, quizId: string) => selectUnscored(tx, quizId);

export const lockUnscoredSections = (tx: Tx, quizId: string) =>
  selectUnscored(tx, quizId).for('no key update');

function selectUnscored(tx: Tx, quizId: string) {
  return tx
    .select({ id: participants.id, ...resultColumns, negativeMarks: participants.negativeMarks })
    .from(participants)
    .where(
      and(
        eq(participants.quizId, quizId),
        ne(participants.status, 'in_progress'),
        sql`not ${participants.sections} @? '$[*].points'`,
      ),
    )
    .orderBy(asc(participants.id));
}

/** Selects the attempts that are counted: current ones that have ended. */
export interface StatisticsFilter {
  quizId: string;
  status?: 'completed' | 'dismissed' | undefined;
  group?: string | undefined;
  /** The end, from and before. */
  from?: Date | undefined;
  until?: Date | undefined;
}

/** The counted attempts, with the columns that change when a result does, and the seconds that each took. */
export function listCounted(
  db: Queryable,
  sees: Reach,
  { quizId, status, group, from, until }: StatisticsFilter,
) {
  const { submittedAt } = participants;
  return db
    .select({
      id: participants.id,
      points: participants.points,
      score: participants.score,
      groups: groupsColumn(sees).as('groups'),
      seconds: sql<number>`extract(epoch from ${timeSpent(sql`${submittedAt}`)})::float8`.as(
        'seconds',
      ),
    })
    .from(participants)
    .innerJoin(users, eq(users.id, participants.userId))
    .innerJoin(invitations, eq(invitations.id, participants.invitationId))
    .where(
      and(
        endedOf(quizId),
        status === undefined ? undefined : eq(participants.status, status),
        group === undefined ? undefined : sql`${groupsColumn(sees)} @> array[${group}]::text[]`,
        from && gte(submittedAt, from),
        until && lt(submittedAt, until),
      ),
    )
    .orderBy(asc(participants.id));
}

/** Changes with the attempts that are counted, their results and groups, and the order of the questions. */
export async function readCountedState(
  db: Queryable,
  sees: Reach,
  filter: StatisticsFilter,
): Promise<string> {
  const { rows } = await db.execute<{ state: string }>(sql`
    select count(*) || ' ' || coalesce(sum(hashtextextended(concat_ws(' ', id, points, score, groups, seconds), 0)), 0)
      || ' ' || coalesce((
        select md5(string_agg(id::text, ' ' order by order_number, id)) from questions
        where quiz_id = ${filter.quizId} and deleted_at is null and archived_at is null), '') as state
    from ${listCounted(db, sees, filter).as('counted')}`);
  return onlyRow(rows).state;
}

/** The versions of the questions on these papers. */
const onPapers = (ids: readonly string[]) => sql`(question_id, version) in (
  select question_id, question_version from paper_questions
  where participant_id = any (${sql.param([...ids])}::uuid[]))`;

/** Changes whenever a key or a correction of a question on these papers does. */
export async function readKeysState(db: Queryable, papers: readonly string[]): Promise<string> {
  const { rows } = await db.execute<{ state: string }>(sql`
    select count(*) || ' ' || coalesce(sum(hashtextextended(concat_ws(' ', question_id, version,
      correct_option_id, correction, details, seal), 0)), 0) as state
    from question_versions where ${onPapers(papers)}`);
  return onlyRow(rows).state;
}

/** A version of a question in 64 bits: with its id, a paper would be twice as long. */
const versionKey = (questionId: SQLWrapper, version: SQLWrapper) =>
  sql<string>`uuid_hash_extended(${questionId}, ${version})`;

/** The versions on papers with their keys, of each question the newest last. */
export function listDrawnVersions(db: Queryable, papers: readonly string[]) {
  const { questionId, version } = questionVersions;
  return db
    .select({ ...getTableColumns(questionVersions), key: versionKey(questionId, version) })
    .from(questionVersions)
    .where(onPapers(papers))
    .orderBy(asc(version));
}

/** A paper as it is read: its cells with their question, version and answer. */
export interface PaperRow {
  id: string;
  /** Separated by U+001E, in the order of the paper: key of the version, option, and what was typed. */
  cells: string;
  negativeMarks: NegativeMarks | null;
  /** Whether it counts right answers, not points. */
  countsRight: boolean;
  groups: string[];
  /** Seconds in view, in the order of the paper; null: not measured. */
  focused: number[] | null;
}

/** Papers with their answers, as text: a row per attempt is a hundredth of the rows to read. */
export async function readPapers(db: Queryable, sees: Reach, ids: readonly string[]) {
  const { rows } = await db.execute<PaperRow & Record<string, unknown>>(sql`
    select p.id, x.cells, p.negative_marks as "negativeMarks", 
      p.max_points is null or p.counts_right is not null as "countsRight",
      ${groupsColumn(sees)} as groups, p.focused
    from unnest(${sql.param([...ids])}::uuid[]) as wanted (id)
    join participants p on p.id = wanted.id
    join users on users.id = p.user_id
    join invitations on invitations.id = p.invitation_id
    cross join lateral (
      select string_agg(${versionKey(sql`pq.question_id`, sql`pq.question_version`)} || ' '
          || coalesce(a.option_id::text, '') || coalesce(' ' || translate(a.response, E'\\x1e', ''), ''), E'\\x1e'
        order by pq.position) as cells
      from paper_questions pq
      left join answers a on a.participant_id = pq.participant_id and a.question_id = pq.question_id
      where pq.participant_id = p.id) x
    where x.cells is not null`);
  return rows;
}
