import { and, gt, isNotNull, lte, sql } from 'drizzle-orm';
import { onlyRow, type Queryable, type Tx } from '../database.ts';
import { outbox, smtpSettings } from '../schema/mail.ts';
import type { SmtpSettingsRow } from './smtp-settings.ts';

/** The columns that say what the account was found to allow. */
export type PaceColumns = Pick<
  SmtpSettingsRow,
  'perMinute' | 'perMinuteSince' | 'nextSendAt' | 'pausedAt' | 'pauses' | 'fault' | 'faultText'
>;

/** Stores what the account was found to allow. The caller holds `lockSmtpSettings`. */
export async function putSendingPace(tx: Tx, pace: PaceColumns): Promise<void> {
  const { perMinute, perMinuteSince, nextSendAt, pausedAt, pauses, fault, faultText } = pace;
  await tx
    .update(smtpSettings)
    .set({ perMinute, perMinuteSince, nextSendAt, pausedAt, pauses, fault, faultText });
}

/** How many messages were taken since a moment, with those being sent. */
export async function countTaken(db: Queryable, since: Date): Promise<number> {
  const { rows } = await db.execute<{ n: number }>(sql`
    select (select count(*) from outbox
        where state = 'sent' and sent_at > ${since.toISOString()}::timestamptz)::int
      + (select count(*) from outbox where state = 'sending')::int as n`);
  return onlyRow(rows).n;
}

/** Whether a message that was queued since a moment is due. */
export async function hasQueuedSince(db: Queryable, since: Date, now: Date): Promise<boolean> {
  const isNew = and(gt(outbox.createdAt, since), lte(outbox.nextAttemptAt, now));
  const rows = await db.select({ id: outbox.id }).from(outbox).where(isNew).limit(1);
  return rows.length > 0;
}

/** The time of a pause does not count against the messages that were tried before it. */
export async function forgivePause(tx: Tx, ms: number): Promise<void> {
  // Locked in the order of their ids, as by `lockWaitingOf`; another order could deadlock.
  await tx.execute(sql`
    update outbox set first_tried_at = first_tried_at + ${ms} * interval '1 millisecond'
    where id in (
      select id from outbox where next_attempt_at is not null and first_tried_at is not null
      order by id for update)`);
}

/** Makes a paused queue try again at once. */
export async function hastenProbe(tx: Tx, now: Date): Promise<void> {
  await tx
    .update(smtpSettings)
    .set({ nextSendAt: now })
    .where(and(isNotNull(smtpSettings.pausedAt), gt(smtpSettings.nextSendAt, now)));
}
