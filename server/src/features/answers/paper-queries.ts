import type { PaperPosition } from '@invigil/core/domain/draw';
import { asc, eq } from 'drizzle-orm';
import type { Queryable, Tx } from '../../db/database.ts';
import { paperQuestions, participants } from '../../db/schema.ts';

export type PaperRow = typeof paperQuestions.$inferSelect;

/** Whose paper it is: facts of an attempt that never change. */
export async function findPaperOwner(db: Queryable, participantId: string) {
  const [row] = await db
    .select({ userId: participants.userId, quizId: participants.quizId })
    .from(participants)
    .where(eq(participants.id, participantId));
  return row;
}

/** A paper in its order; empty when there is no such attempt. */
export function getPaper(db: Queryable, participantId: string): Promise<PaperRow[]> {
  return db
    .select()
    .from(paperQuestions)
    .where(eq(paperQuestions.participantId, participantId))
    .orderBy(asc(paperQuestions.position));
}

/** Writes a paper, once, in the transaction that starts the attempt. */
export async function insertPaper(tx: Tx, participantId: string, paper: PaperPosition[]) {
  await tx.insert(paperQuestions).values(
    paper.map((p) => ({
      participantId,
      position: p.position,
      questionId: p.questionId,
      questionVersion: p.version,
      optionOrder: p.optionOrder,
    })),
  );
}
