import type { Queryable } from '../../db/database.ts';
import { feedback } from '../../db/schema.ts';

export type FeedbackRow = typeof feedback.$inferSelect;

/** Stores the feedback of an attempt; false when there is one already. */
export async function insertFeedback(db: Queryable, row: FeedbackRow): Promise<boolean> {
  const inserted = await db
    .insert(feedback)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: feedback.participantId });
  return inserted.length === 1;
}
