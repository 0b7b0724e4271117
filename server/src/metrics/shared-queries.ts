import { sql } from 'drizzle-orm';
import { onlyRow, type Queryable } from '../db/database.ts';

/** The states of mail that has not been sent. */
const NOT_SENT = ['queued', 'sending', 'uncertain', 'failed'];
const DAY_MS = 86_400_000;
/**
 * Many concurrent candidates who started together end together: their attempts are ended in
 * batches, second by second. Only attempts that remain after this time indicate a problem.
 */
const ENDED_WITHIN_MS = 10_000;

export interface MailCounts {
  states: Record<string, number>;
  /** Since the first attempt for the message retried longest, or since the queue is paused; 0 without. */
  retryingSeconds: number;
}

export interface AttemptCounts {
  open: number;
  /** Past their due time for more than ten seconds and not ended yet. */
  due: number;
}

/** Throws if the database does not respond. */
export async function probeDatabase(db: Queryable): Promise<void> {
  await db.execute(sql`select 1`);
}

/** Uses the indexes of the closing job. */
export async function countOpenAttempts(db: Queryable, now: Date): Promise<AttemptCounts> {
  const dueBefore = new Date(now.getTime() - ENDED_WITHIN_MS).toISOString();
  const { rows } = await db.execute<{ open: number; due: number }>(sql`
    select
      (select count(*)::int from participants where status = 'in_progress') as open,
      (select count(*)::int from participants
        where status = 'in_progress' and close_at < ${dueBefore}::timestamptz) as due`);
  return onlyRow(rows);
}

export async function countUnsealedEntries(db: Queryable): Promise<number> {
  const { rows } = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from audit_entries where number is null`,
  );
  return onlyRow(rows).n;
}

/**
 * Mail by state; every state is reported, even with 0 messages. Sent mail is only counted for the
 * last day, because all of it would take long to read.
 */
export async function countMail(db: Queryable, now: Date): Promise<MailCounts> {
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
      (select extract(epoch from ${now.toISOString()}::timestamptz
          - least(min(first_tried_at), (select paused_at from smtp_settings)))::float8
        from outbox where state in ('queued', 'sending', 'uncertain')) as retrying`);
  const { sent, others, retrying } = onlyRow(rows);
  return {
    states: { ...Object.fromEntries(NOT_SENT.map((state) => [state, 0])), ...others, sent },
    retryingSeconds: Math.max(0, retrying ?? 0),
  };
}
