import { LIVE_LIMITS } from '@invigil/core/domain/limits';
import { sql } from 'drizzle-orm';
import { type Database, onlyRow, type Queryable, runNamed } from '../../../db/database.ts';
import { liveLooks } from '../../../db/schema/monitoring.ts';

/** Says the number of a look to every process: one word per look, whoever looks where. */
export const LOOK_CHANNEL = 'live_look';

/** A process that hangs or dies while it looks loses its turn after this. */
const TURN_MS = 2_000;
/** After the end of a look; a little less, so that whoever looked is not early by a hair. */
const PAUSE_MS = LIVE_LIMITS.frameEveryMs - 50;
/** Enough for whoever could not listen for some seconds. */
const KEPT_LOOKS = 10;

/** Statements of every second: named, and not made anew by Drizzle each time. */
const TAKE_TURN = {
  name: 'live-take-turn',
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
      insert into live_looks (number, frame) select number, $2::text from ended
      on conflict (number) do update set frame = excluded.frame returning number),
    gone as (
      delete from live_looks where number <= $1::bigint - $4::int or number > $1::bigint)
    select pg_notify('${LOOK_CHANNEL}', number::text) from kept`,
};

/**
 * Asks for the turn to look. Of all processes one gets it, at most once a second.
 *
 * @returns the number of the look; where the turn is another's, that of the look which is the last
 */
export async function takeTurn(db: Database): Promise<{ number: number; isOurs: boolean }> {
  const turn = { ...TAKE_TURN, values: [TURN_MS] };
  return onlyRow(await runNamed<{ number: number; isOurs: boolean }>(db, turn));
}

/**
 * Keeps what a look found and tells all processes its number. False where the turn was lost
 * meanwhile: then somebody else has looked, and what was found counts for nothing.
 */
export async function publishLook(
  db: Database,
  number: number,
  frame: string | null,
): Promise<boolean> {
  const values = [number, frame, PAUSE_MS, KEPT_LOOKS];
  return (await runNamed(db, { ...PUBLISH, values })).length === 1;
}

/** What the looks after a number found, in order. */
export async function listLooksAfter(
  db: Database,
  number: number,
): Promise<{ number: number; frame: string | null }[]> {
  return runNamed<{ number: number; frame: string | null }>(db, {
    name: 'live-looks-after',
    text: 'select number::int as number, frame from live_looks where number > $1 order by number',
    values: [number],
  });
}

/** Forgets what was found: it names people. Whoever looks at the board looks anew. */
export async function forgetLooks(db: Queryable): Promise<void> {
  await db.execute(sql`delete from ${liveLooks}`);
}
