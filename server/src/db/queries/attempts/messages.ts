import { asc, eq, sql } from 'drizzle-orm';
import type { Queryable, Tx } from '../../database.ts';
import { participants } from '../../schema/attempts.ts';
import { participantMessages } from '../../schema/monitoring.ts';

export type MessageRow = typeof participantMessages.$inferSelect;

/** Stores a message and counts it at its attempt. */
export async function insertMessage(tx: Tx, row: MessageRow): Promise<void> {
  await tx.insert(participantMessages).values(row);
  await tx
    .update(participants)
    .set({ messageCount: sql`${participants.messageCount} + 1` })
    .where(eq(participants.id, row.participantId));
}

/** Oldest first. */
export function listMessages(db: Queryable, participantId: string): Promise<MessageRow[]> {
  return db
    .select()
    .from(participantMessages)
    .where(eq(participantMessages.participantId, participantId))
    .orderBy(asc(participantMessages.at), asc(participantMessages.id));
}
