import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import { sql } from 'drizzle-orm';
import type { Queryable } from '../db/database.ts';
import { sensorSwitch } from '../features/participants/switch-queries.ts';

/** Policies that have nothing to watch need no monitor; the person's switches count as well. */
const HAS_MONITOR = sql`exists (
  select from quiz_policies pol
  where pol.quiz_id = p.quiz_id and pol.version = p.policy_version
    and ((pol.settings ->> 'camera')::boolean and ${sensorSwitch('camera_enabled', 'p')}
      or (pol.settings ->> 'microphone')::boolean and ${sensorSwitch('microphone_enabled', 'p')}
      or (pol.settings ->> 'fullscreen')::boolean))`;

/**
 * Notes since when answers arrive although the page's monitor is silent: a save came more than 25 s
 * after its last word. Heartbeats with a word of the monitor take the note back.
 */
export async function noteSilence(db: Queryable, now: Date): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const silence = sql`${ATTEMPT_LIMITS.monitorSilentMs} * interval '1 millisecond'`;
  await db.execute(sql`
    update participants p set silent_since = ${at}
    where p.status = 'in_progress' and p.silent_since is null
      and coalesce(p.monitor_at, p.started_at) < ${at} - ${silence}
      and exists (
        select from answers a
        where a.participant_id = p.id
          and a.saved_at > coalesce(p.monitor_at, p.started_at) + ${silence})
      and ${HAS_MONITOR}`);
}

/** Attempts whose silence has lasted long enough for a flag, and that have none for it yet. */
export async function listSilent(db: Queryable, now: Date): Promise<string[]> {
  const before = new Date(now.getTime() - ATTEMPT_LIMITS.monitorReturnMs).toISOString();
  const { rows } = await db.execute<{ id: string }>(sql`
    select p.id from participants p
    where p.status = 'in_progress' and p.silent_since <= ${before}::timestamptz
      and not exists (
        select from violations v
        where v.participant_id = p.id and v.type = 'monitor_silent'
          and v.received_at >= p.silent_since)
    order by p.id`);
  return rows.map((row) => row.id);
}
