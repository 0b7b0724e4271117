import { sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { appliedActions } from '../../schema/monitoring.ts';

/**
 * Notes that an action for many was done to an attempt; false: it was before. In the transaction of the
 * action itself, so that there is never one without the other.
 */
export async function noteDone(
  tx: Tx,
  actionId: string,
  participantId: string,
  at: Date,
): Promise<boolean> {
  const noted = await tx
    .insert(appliedActions)
    .values({ actionId, participantId, at })
    .onConflictDoNothing()
    .returning({ id: appliedActions.participantId });
  return noted.length > 0;
}

/** Carries the ids of attempts of which something changed, parted by commas. */
export const NEWS_CHANNEL = 'attempt_news';

/** A notification holds 8000 bytes; an id and its comma take 37. */
const IDS_PER_NOTIFICATION = 200;

/**
 * Tells every process that there is news of attempts, once this transaction has committed. Commits
 * that tell wait for each other, so what thousands of candidates do at once (starting, saving,
 * submitting) must not tell: their own answer already says it.
 */
export async function notifyAttempts(tx: Tx, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += IDS_PER_NOTIFICATION) {
    const some = ids.slice(at, at + IDS_PER_NOTIFICATION).join(',');
    await tx.execute(sql`select pg_notify(${NEWS_CHANNEL}, ${some})`);
  }
}
