import { sql } from 'drizzle-orm';
import type { Database, Queryable, Tx } from '../database.ts';
import { liveness } from '../schema/installation.ts';

/** Records that the service is up; any process may, and the latest time wins. */
export async function recordAlive(db: Queryable, now: Date): Promise<void> {
  await db
    .insert(liveness)
    .values({ aliveAt: now })
    .onConflictDoUpdate({
      target: liveness.one,
      set: { aliveAt: sql`greatest(${liveness.aliveAt}, excluded.alive_at)` },
    });
}

/** Lets a transaction commit before it is on disk: only this write may be lost in a crash. */
export async function waitForNoDisk(tx: Tx): Promise<void> {
  await tx.execute(sql`set local synchronous_commit = off`);
}

/** The time until which the service was up, locked against updates. */
export async function lockAliveAt(tx: Tx): Promise<Date | undefined> {
  const [row] = await tx.select().from(liveness).for('update');
  return row?.aliveAt;
}

/** Throws when the database is away or not migrated. */
export async function requireMigrated(db: Database): Promise<void> {
  await db.select().from(liveness).limit(1);
}
