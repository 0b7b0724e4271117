import { and, inArray, isNotNull, lt } from 'drizzle-orm';
import type { Queryable, Tx } from '../../db/database.ts';
import { participants } from '../../db/schema/attempts.ts';
import { retention } from '../../db/schema/installation.ts';

/** The setting of an administrator; `undefined` if there is none. */
export async function findRetention(
  db: Queryable,
): Promise<typeof retention.$inferSelect | undefined> {
  const [row] = await db.select().from(retention);
  return row;
}

export async function putRetentionDays(
  tx: Tx,
  set: Pick<typeof retention.$inferInsert, 'days' | 'updatedAt' | 'seal'>,
): Promise<void> {
  await tx.insert(retention).values(set).onConflictDoUpdate({ target: retention.one, set });
}

/**
 * Deletes the device check of attempts that ended before a moment, at most `limit` at a time.
 * Returns how many there were.
 */
export async function dropDeviceChecks(tx: Tx, endedBefore: Date, limit: number): Promise<number> {
  const expired = tx
    .select({ id: participants.id })
    .from(participants)
    .where(and(isNotNull(participants.deviceCheck), lt(participants.submittedAt, endedBefore)))
    .limit(limit)
    .for('update', { skipLocked: true });
  const dropped = await tx
    .update(participants)
    .set({ deviceCheck: null })
    .where(inArray(participants.id, expired))
    .returning({ id: participants.id });
  return dropped.length;
}
