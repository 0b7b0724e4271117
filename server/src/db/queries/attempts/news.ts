import { sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { portionsOf } from '../../portions.ts';
import { appliedActions } from '../../schema/monitoring.ts';

/**
 * Records that an action for many was done to an attempt; false: it was before. Called in the transaction
 * of the action, so that both are stored or neither.
 */
export async function recordAction(
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

/** Carries the ids of changed attempts and assessments, separated by commas. */
export const NEWS_CHANNEL = 'attempt_news';

/** A notification holds 8000 bytes; an id and its comma take 37. */
const IDS_PER_NOTIFICATION = 200;

/**
 * Notifies every process of changed attempts or assessments once this transaction has committed. Commits that
 * notify wait for each other, so actions of thousands of concurrent candidates (start, save, submit) must not
 * notify; their own response carries the state.
 */
export async function notifyAttempts(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const some of portionsOf(ids, IDS_PER_NOTIFICATION)) {
    await tx.execute(sql`select pg_notify(${NEWS_CHANNEL}, ${some.join(',')})`);
  }
}
