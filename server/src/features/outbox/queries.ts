import { and, asc, count, eq, inArray, lt, lte, sql } from 'drizzle-orm';
import { onlyRow, type Queryable } from '../../db/database.ts';
import { type Page, readPage } from '../../db/page-window.ts';
import { invitationCodes, outbox } from '../../db/schema.ts';

export type OutboxRow = typeof outbox.$inferSelect;

/** The newest messages; pages beyond the middle are read from the oldest. */
export function pageOutbox(
  db: Queryable,
  page: Page,
): Promise<{ rows: OutboxRow[]; total: number }> {
  return readPage(
    page,
    async () => onlyRow(await db.select({ n: count() }).from(outbox)).n,
    ({ limit, offset, fromEnd }) => {
      const direction = fromEnd ? sql`asc` : sql`desc`;
      const order = sql`${outbox.createdAt} ${direction}, ${outbox.id} ${direction}`;
      // The index alone finds the page; only its rows are read.
      const ids = sql`select id from ${outbox} order by ${order} limit ${limit} offset ${offset}`;
      return db.select().from(outbox).where(sql`${outbox.id} in (${ids})`).orderBy(order);
    },
  );
}

export async function findMessage(db: Queryable, id: string): Promise<OutboxRow | undefined> {
  const [row] = await db.select().from(outbox).where(eq(outbox.id, id));
  return row;
}

/**
 * Takes due messages for delivery; several processes never take the same one. A message that was on
 * its way when its code was replaced or taken back could not be cancelled then and may have come back
 * into the queue: it is not tried again.
 */
export async function claimDueMessages(
  db: Queryable,
  most: number,
  now: Date,
  claimedUntil: Date,
): Promise<OutboxRow[]> {
  await db
    .update(outbox)
    .set({
      state: 'failed',
      nextAttemptAt: null,
      sealedCode: null,
      lastError: 'Its one-time password was replaced or taken back meanwhile',
    })
    .where(
      and(
        lte(outbox.nextAttemptAt, now),
        sql`exists (select from ${invitationCodes} where ${invitationCodes.id} = ${outbox.codeId}
          and ${invitationCodes.revokedAt} is not null)`,
      ),
    );
  const due = db
    .select({ id: outbox.id })
    .from(outbox)
    .where(lte(outbox.nextAttemptAt, now))
    .orderBy(asc(outbox.nextAttemptAt))
    .limit(most)
    .for('update', { skipLocked: true });
  return db
    .update(outbox)
    .set({
      state: 'sending',
      attempts: sql`${outbox.attempts} + 1`,
      nextAttemptAt: null,
      claimedUntil,
    })
    .where(inArray(outbox.id, due))
    .returning();
}

/** Writes how a try ended, unless the message was cancelled meanwhile. */
export async function settleMessage(
  db: Queryable,
  id: string,
  set: Pick<OutboxRow, 'state' | 'lastError' | 'nextAttemptAt'> & {
    sentAt?: Date;
    sealedCode?: null;
  },
): Promise<void> {
  await db
    .update(outbox)
    .set({ ...set, claimedUntil: null })
    .where(and(eq(outbox.id, id), eq(outbox.state, 'sending')));
}

/**
 * Messages whose sender died before it could say how the try ended: the mail server may have them.
 * They are tried again, with the same code and Message-ID.
 */
export async function releaseAbandonedMessages(db: Queryable, now: Date): Promise<void> {
  await db
    .update(outbox)
    .set({
      state: 'uncertain',
      claimedUntil: null,
      nextAttemptAt: now,
      lastError: 'The server stopped while this message was being handed over',
    })
    .where(and(eq(outbox.state, 'sending'), lt(outbox.claimedUntil, now)));
}
