import { eq } from 'drizzle-orm';
import type { Queryable } from '../../database.ts';
import { feedback } from '../../schema/monitoring.ts';

export type FeedbackRow = typeof feedback.$inferSelect;

/** Stores the feedback of an attempt; false when it has one already. */
export async function insertFeedback(db: Queryable, row: FeedbackRow): Promise<boolean> {
  const inserted = await db
    .insert(feedback)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: feedback.participantId });
  return inserted.length === 1;
}

export async function findFeedback(
  db: Queryable,
  participantId: string,
): Promise<FeedbackRow | undefined> {
  const [row] = await db.select().from(feedback).where(eq(feedback.participantId, participantId));
  return row;
}
