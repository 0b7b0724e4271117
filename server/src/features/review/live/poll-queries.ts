import { LIVE_LIMITS } from '@invigil/core/domain/limits';
import { sql } from 'drizzle-orm';
import { type Database, onlyRow, type Queryable, runNamed } from '../../../db/database.ts';
import { liveFrames } from '../../../db/schema/monitoring.ts';

/** Carries the number of each poll to every process. */
export const POLL_CHANNEL = 'live_poll';

/** Lease of a claimed poll: a process that hangs or dies during it loses the claim after this. */
const LEASE_MS = 2_000;
/**
 * Pause between the end of a poll and the next claim; a little shorter than a frame, for timers that fire
 * early.
 */
const PAUSE_MS = LIVE_LIMITS.frameEveryMs - 50;
/** Enough for a process that could not listen for some seconds. */
const KEPT_POLLS = 10;

/** Run every second, so they are named (prepared) and not built by Drizzle each time. */
const CLAIM = {
  name: 'live-claim-poll',
  text: `
    with taken as (
      insert into live_turn as t (number, next_at)
      values (1, clock_timestamp() + $1 * interval '1 millisecond')
      on conflict (one) do update set number = t.number + 1, next_at = excluded.next_at
        where t.next_at <= clock_timestamp() or t.next_at > excluded.next_at
      returning t.number)
    select coalesce((select number from taken), (select number from live_turn), 0)::int as number,
      exists (select from taken) as "isOurs"`,
};
const PUBLISH = {
  name: 'live-publish',
  text: `
    with ended as (
      update live_turn set next_at = clock_timestamp() + $3 * interval '1 millisecond'
      where number = $1::bigint returning number),
    kept as (
      insert into live_frames (number, frame) select number, $2::text from ended
      on conflict (number) do update set frame = excluded.frame returning number),
    gone as (
      delete from live_frames where number <= $1::bigint - $4::int or number > $1::bigint)
    select pg_notify('${POLL_CHANNEL}', number::text) from kept`,
};

/**
 * Claims the next poll. At most one process succeeds, at most once a second.
 *
 * @returns the number of the claimed poll, or of the last one where another process holds the claim
 */
export async function claimPoll(db: Database): Promise<{ number: number; isOurs: boolean }> {
  const claim = { ...CLAIM, values: [LEASE_MS] };
  return onlyRow(await runNamed<{ number: number; isOurs: boolean }>(db, claim));
}

/**
 * Stores what a poll found and notifies all processes of its number. False where the lease had
 * expired: another process has polled since then, and this result is discarded.
 */
export async function publishPoll(
  db: Database,
  number: number,
  frame: string | null,
): Promise<boolean> {
  const values = [number, frame, PAUSE_MS, KEPT_POLLS];
  return (await runNamed(db, { ...PUBLISH, values })).length === 1;
}

/** The findings of the polls after a number, in order. */
export async function listPollsAfter(
  db: Database,
  number: number,
): Promise<{ number: number; frame: string | null }[]> {
  return runNamed<{ number: number; frame: string | null }>(db, {
    name: 'live-polls-after',
    text: 'select number::int as number, frame from live_frames where number > $1 order by number',
    values: [number],
  });
}

/** Deletes the stored frames, which name people. A board in use reads the tables again. */
export async function deletePolls(db: Queryable): Promise<void> {
  await db.execute(sql`delete from ${liveFrames}`);
}
