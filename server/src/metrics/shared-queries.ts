import { sql } from 'drizzle-orm';
import { onlyRow, type Queryable } from '../db/database.ts';
import type { AttemptFigures, MailFigures } from './metrics.ts';

/** States that mail stays in until it has gone out. */
const NOT_SENT = ['queued', 'sending', 'uncertain', 'failed'];
const DAY_MS = 86_400_000;
/**
 * A hall that began together ends together: its attempts are ended a portion at a time, second after
 * second. Only what is left after that is somebody's business.
 */
const ENDED_WITHIN_MS = 10_000;

/** Whether the database answers at all; throws where it does not. */
export async function probeDatabase(db: Queryable): Promise<void> {
  await db.execute(sql`select 1`);
}

/** On the indexes that the closing job uses as well. */
export async function readAttemptFigures(db: Queryable, now: Date): Promise<AttemptFigures> {
  const lately = new Date(now.getTime() - ENDED_WITHIN_MS).toISOString();
  const { rows } = await db.execute<{ open: number; due: number }>(sql`
    select
      (select count(*)::int from participants where status = 'in_progress') as open,
      (select count(*)::int from participants
        where status = 'in_progress' and close_at < ${lately}::timestamptz) as due`);
  return onlyRow(rows);
}

export async function countUnsealedEntries(db: Queryable): Promise<number> {
  const { rows } = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from audit_entries where number is null`,
  );
  return onlyRow(rows).n;
}

/**
 * Mail by state; every state is told, also one that no message is in. Of what was sent only the last
 * day is counted: that of all time would have to be read through.
 */
export async function readMailFigures(db: Queryable, now: Date): Promise<MailFigures> {
  const dayAgo = new Date(now.getTime() - DAY_MS).toISOString();
  const { rows } = await db.execute<{
    sent: number;
    others: Record<string, number> | null;
    retrying: number | null;
  }>(sql`
    select
      (select count(*)::int from outbox
        where state = 'sent' and sent_at > ${dayAgo}::timestamptz) as sent,
      (select jsonb_object_agg(state, n) from (
        select state, count(*) as n from outbox where state <> 'sent' group by state) s) as others,
      (select extract(epoch from ${now.toISOString()}::timestamptz - min(first_tried_at))::float8
        from outbox where state in ('queued', 'sending', 'uncertain')) as retrying`);
  const { sent, others, retrying } = onlyRow(rows);
  return {
    states: { ...Object.fromEntries(NOT_SENT.map((state) => [state, 0])), ...others, sent },
    retryingSeconds: Math.max(0, retrying ?? 0),
  };
}
