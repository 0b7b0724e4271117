import type { PaperPosition } from '@invigil/core/domain/draw';
import { asc, sql } from 'drizzle-orm';
import { type Queryable, runNamed, type Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import { paperQuestions, participants } from '../../db/schema.ts';

export type PaperRow = typeof paperQuestions.$inferSelect;

/** Whose papers they are: facts of attempts that never change. Those that are not there are missing. */
export function listPaperOwners(db: Queryable, participantIds: string[]) {
  return prepared(db, 'paper-owners', (on) =>
    on
      .select({ id: participants.id, userId: participants.userId, quizId: participants.quizId })
      .from(participants)
      .where(sql`${participants.id} = any (${sql.placeholder('ids')}::uuid[])`),
  ).execute({ ids: participantIds });
}

/** A paper in its order; empty when there is no such attempt. */
export function getPaper(db: Queryable, participantId: string): Promise<PaperRow[]> {
  return listPapers(db, [participantId]);
}

/** The rows of several papers, each paper in its order. */
export function listPapers(db: Queryable, participantIds: string[]): Promise<PaperRow[]> {
  return prepared(db, 'papers', (on) =>
    on
      .select()
      .from(paperQuestions)
      .where(sql`${paperQuestions.participantId} = any (${sql.placeholder('ids')}::uuid[])`)
      .orderBy(asc(paperQuestions.participantId), asc(paperQuestions.position)),
  ).execute({ ids: participantIds });
}

/** The orders come as texts, because PostgreSQL would take a list of lists for one long list. */
const INSERT_PAPERS_SQL = `
insert into paper_questions (participant_id, position, question_id, question_version, option_order)
select participant_id, position, question_id, question_version, option_order::smallint[]
from unnest($1::uuid[], $2::smallint[], $3::uuid[], $4::int[], $5::text[])
  as p(participant_id, position, question_id, question_version, option_order)`;

/** Writes papers, each once, in the transaction that starts their attempts. */
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
