import type { AnswerState, IncomingAnswer } from '@invigil/core/domain/attempt';
import { asc, eq, max, sql } from 'drizzle-orm';
import { type Queryable, runNamed, type Tx } from '../../database.ts';
import { newId } from '../../new-id.ts';
import { prepared } from '../../prepared.ts';
import { answers, lateAnswers, paperQuestions } from '../../schema/attempts.ts';

export type AnswerRow = typeof answers.$inferSelect;
export type LateAnswerRow = typeof lateAnswers.$inferSelect;

/** Stored answers of an attempt in the paper's order. */
export async function listAnswers(db: Queryable, participantId: string): Promise<AnswerRow[]> {
  const rows = await prepared(db, 'answers', selectAnswers).execute({ id: participantId });
  return rows.map((row) => row.answer);
}

function selectAnswers(db: Queryable) {
  return db
    .select({ answer: answers })
    .from(answers)
    .innerJoin(
      paperQuestions,
      sql`${paperQuestions.participantId} = ${answers.participantId}
        and ${paperQuestions.questionId} = ${answers.questionId}`,
    )
    .where(eq(answers.participantId, sql.placeholder('id')))
    .orderBy(asc(paperQuestions.position));
}

/** The stored answer to a question, with its revision. */
export interface StoredAnswer extends AnswerState {
  participantId: string;
  questionId: string;
}

/** Stored answers of several attempts, in any order. */
export function listAnswersOf(db: Queryable, participantIds: string[]): Promise<StoredAnswer[]> {
  return runNamed<StoredAnswer>(db, {
    name: 'answers-of',
    text: `select participant_id as "participantId", question_id as "questionId",
      option_id as "optionId", response, is_flagged as "isFlagged", revision
      from answers where participant_id = any ($1::uuid[])`,
    values: [participantIds],
  });
}

/** Stores values found to be newer, with their attempts locked; for the submit. */
export async function writeAnswers(
  tx: Tx,
  rows: readonly (StoredAnswer & { now: Date })[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insert(answers)
    .values(rows.map(({ now, ...row }) => ({ ...row, id: newId(), createdAt: now, savedAt: now })))
    .onConflictDoUpdate({
      target: [answers.participantId, answers.questionId],
      set: {
        optionId: sql`excluded.option_id`,
        response: sql`excluded.response`,
        isFlagged: sql`excluded.is_flagged`,
        revision: sql`excluded.revision`,
        savedAt: sql`excluded.saved_at`,
      },
    });
}

/** When the newest stored answer arrived. */
export async function findLastSaveAt(db: Queryable, participantId: string): Promise<Date | null> {
  const [row] = await db
    .select({ at: max(answers.savedAt) })
    .from(answers)
    .where(eq(answers.participantId, participantId));
  return row?.at ?? null;
}

/*
 * One statement, so that it needs no transaction: the newest of stored and new values wins. A row without
 * a revision (a submit as in the specification) is older than any with one.
 */
const KEEP_LATE_SQL = `
with late as (
  select * from unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::boolean[], $5::int[],
    $8::text[]) as l(id, question_id, option_id, is_flagged, revision, response)
), newest as (
  select distinct on (question_id) * from late l where not exists (
    select from late_answers s
    where s.participant_id = $6 and s.question_id = l.question_id
      and coalesce(s.revision, 0) >= coalesce(l.revision, 0))
  order by question_id, revision desc nulls last
), replaced as (
  delete from late_answers s using newest n
  where s.participant_id = $6 and s.question_id = n.question_id
)
insert into late_answers
  (id, participant_id, question_id, option_id, response, is_flagged, revision, received_at)
select id, $6::uuid, question_id, option_id, response, is_flagged, revision, $7::timestamptz
from newest
on conflict do nothing`;

/**
 * Stores what arrived after the end, the newest revision per question. The attempt must be locked, or two
 * concurrent calls could both store theirs.
 */
export async function storeLateAnswers(
  tx: Tx,
  participantId: string,
  rows: readonly (IncomingAnswer & { questionId: string })[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return;
  await runNamed(tx, {
    name: 'keep-late-answers',
    text: KEEP_LATE_SQL,
    values: [
      rows.map(() => newId()),
      rows.map((row) => row.questionId),
      rows.map((row) => row.optionId),
      rows.map((row) => row.isFlagged),
      rows.map((row) => row.revision),
      participantId,
      now.toISOString(),
      rows.map((row) => row.response),
    ],
  });
}

export function listLateAnswers(db: Queryable, participantId: string): Promise<LateAnswerRow[]> {
  return db
    .select()
    .from(lateAnswers)
    .where(eq(lateAnswers.participantId, participantId))
    .orderBy(asc(lateAnswers.receivedAt), asc(lateAnswers.id));
}
