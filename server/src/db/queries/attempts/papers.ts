import type { PaperPosition } from '@invigil/core/domain/questions/draw';
import { asc, desc, eq, sql } from 'drizzle-orm';
import { type Queryable, runNamed, type Tx } from '../../database.ts';
import { prepared } from '../../prepared.ts';
import { paperQuestions, participants } from '../../schema/attempts.ts';

export type PaperRow = typeof paperQuestions.$inferSelect;

/** The owners of papers: facts of attempts that never change. Unknown ones are missing. */
export function listPaperOwners(db: Queryable, participantIds: string[]) {
  return prepared(db, 'paper-owners', (on) =>
    on
      .select({ id: participants.id, userId: participants.userId, quizId: participants.quizId })
      .from(participants)
      .where(sql`${participants.id} = any (${sql.placeholder('ids')}::uuid[])`),
  ).execute({ ids: participantIds });
}

/** Attempts in progress, last seen first. */
export async function listInProgress(db: Queryable, most: number): Promise<string[]> {
  const rows = await db
    .select({ id: participants.id })
    .from(participants)
    .where(eq(participants.status, 'in_progress'))
    .orderBy(desc(participants.lastSeenAt))
    .limit(most);
  return rows.map(({ id }) => id);
}

/** A paper in its order; empty when there is no such attempt. */
export function getPaper(db: Queryable, participantId: string): Promise<PaperRow[]> {
  return prepared(db, 'paper', (on) =>
    on
      .select()
      .from(paperQuestions)
      .where(sql`${paperQuestions.participantId} = ${sql.placeholder('id')}::uuid`)
      .orderBy(asc(paperQuestions.position)),
  ).execute({ id: participantId });
}

export function contentKey(questionId: string, version: number): string {
  return `${questionId}/${version}`;
}

/** A place in a paper, as read for many papers at once. */
export interface PaperPlace {
  position: number;
  /** Id and version of its question, combined by `contentKey`. */
  content: string;
  /** Shared by all places with the same order. */
  optionOrder: readonly number[];
}

/**
 * One row per paper instead of per place: after a restart a process reads ten thousand papers in ten
 * seconds, and a row costs it some 8 µs, mostly in the driver.
 */
const PACKED_PAPERS_SQL = `
select participant_id as id,
  string_agg(position::text, ' ' order by position) as positions,
  string_agg(question_id || '/' || question_version, ' ' order by position) as contents,
  string_agg(array_to_string(option_order, ','), ' ' order by position) as orders
from paper_questions where participant_id = any ($1::uuid[])
group by participant_id`;

interface PackedPaper {
  id: string;
  positions: string;
  contents: string;
  orders: string;
}

/** Several papers by their attempts, each in its order. */
export async function listPapers(
  db: Queryable,
  participantIds: string[],
): Promise<Map<string, PaperPlace[]>> {
  const rows = await runNamed<PackedPaper & Record<string, unknown>>(db, {
    name: 'packed-papers',
    text: PACKED_PAPERS_SQL,
    values: [participantIds],
  });
  return new Map(rows.map((row) => [row.id, unpack(row)]));
}

function unpack({ positions, contents, orders }: PackedPaper): PaperPlace[] {
  const allPositions = positions.split(' ');
  const allOrders = orders.split(' ');
  return contents.split(' ').map((content, i) => ({
    position: Number(allPositions[i]),
    content,
    optionOrder: orderOf(allOrders[i] ?? ''),
  }));
}

/** Up to four options have few orders, and every place has one. */
const knownOrders = new Map<string, readonly number[]>();
/** Option ids grow with edits; beyond this the lists are just not shared. */
const MOST_KNOWN_ORDERS = 10_000;

function orderOf(text: string): readonly number[] {
  const known = knownOrders.get(text);
  if (known) return known;
  const order = text === '' ? [] : text.split(',').map(Number);
  if (knownOrders.size < MOST_KNOWN_ORDERS) knownOrders.set(text, order);
  return order;
}

/** The orders arrive as strings, because PostgreSQL flattens a list of lists. */
const INSERT_PAPERS_SQL = `
insert into paper_questions (participant_id, position, question_id, question_version, option_order)
select participant_id, position, question_id, question_version, option_order::smallint[]
from unnest($1::uuid[], $2::smallint[], $3::uuid[], $4::int[], $5::text[])
  as p(participant_id, position, question_id, question_version, option_order)`;

/** Writes papers, one each, in the transaction that starts their attempts. */
export async function insertPapers(
  tx: Tx,
  papers: readonly { participantId: string; paper: PaperPosition[] }[],
) {
  const rows = papers.flatMap(({ participantId, paper }) =>
    paper.map((position) => ({ participantId, ...position })),
  );
  await runNamed(tx, {
    name: 'insert-papers',
    text: INSERT_PAPERS_SQL,
    values: [
      rows.map((row) => row.participantId),
      rows.map((row) => row.position),
      rows.map((row) => row.questionId),
      rows.map((row) => row.version),
      rows.map((row) => `{${row.optionOrder.join(',')}}`),
    ],
  });
}
