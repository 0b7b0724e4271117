import { asc, eq, inArray, sql } from 'drizzle-orm';
import type { Queryable, Tx } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import { answers, lateAnswers, paperQuestions } from '../../db/schema.ts';

export type AnswerRow = typeof answers.$inferSelect;
export type LateAnswerRow = typeof lateAnswers.$inferSelect;

/** Stored answers of an attempt in the paper's order. */
export async function listAnswers(db: Queryable, participantId: string): Promise<AnswerRow[]> {
  const rows = await db
    .select({ answer: answers })
    .from(answers)
    .innerJoin(
      paperQuestions,
      sql`${paperQuestions.participantId} = ${answers.participantId}
        and ${paperQuestions.questionId} = ${answers.questionId}`,
    )
    .where(eq(answers.participantId, participantId))
    .orderBy(asc(paperQuestions.position));
  return rows.map((row) => row.answer);
}

/** Stored answers of several attempts, for scoring. */
export function listAnswersOf(tx: Tx, participantIds: string[]) {
  return tx
    .select({
      participantId: answers.participantId,
      questionId: answers.questionId,
      optionId: answers.optionId,
    })
    .from(answers)
    .where(inArray(answers.participantId, participantIds));
}

/** Stores values that were judged newer, with the participant locked; for the submit. */
export async function writeAnswers(
  tx: Tx,
  participantId: string,
  rows: readonly {
    questionId: string;
    optionId: number | null;
    isFlagged: boolean;
    revision: number;
  }[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insert(answers)
    .values(
      rows.map(({ questionId, optionId, isFlagged, revision }) => ({
        participantId,
        questionId,
        optionId,
        isFlagged,
        revision,
        id: newId(),
        createdAt: now,
        savedAt: now,
      })),
    )
    .onConflictDoUpdate({
      target: [answers.participantId, answers.questionId],
      set: {
        optionId: sql`excluded.option_id`,
        isFlagged: sql`excluded.is_flagged`,
        revision: sql`excluded.revision`,
        savedAt: sql`excluded.saved_at`,
      },
    });
}

/** Keeps what arrived after the end, each revision once. */
export async function keepLateAnswers(
  db: Queryable,
  participantId: string,
  rows: readonly {
    questionId: string;
    optionId: number | null;
    isFlagged: boolean;
    revision: number | null;
  }[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insert(lateAnswers)
    .values(rows.map((row) => ({ ...row, id: newId(), participantId, receivedAt: now })))
    .onConflictDoNothing();
}

export function listLateAnswers(db: Queryable, participantId: string): Promise<LateAnswerRow[]> {
  return db
    .select()
    .from(lateAnswers)
    .where(eq(lateAnswers.participantId, participantId))
    .orderBy(asc(lateAnswers.receivedAt), asc(lateAnswers.id));
}
