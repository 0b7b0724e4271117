import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import { sql } from 'drizzle-orm';
import type { Queryable } from '../db/database.ts';

/** A policy without sensors needs no monitor; the person's own switches apply too. */
const HAS_MONITOR = sql`exists (
  select from quiz_policies pol
  where pol.quiz_id = p.quiz_id and pol.version = p.policy_version
    and ((pol.settings ->> 'camera')::boolean and p.camera_enabled
      or (pol.settings ->> 'microphone')::boolean and p.microphone_enabled
      or (pol.settings ->> 'fullscreen')::boolean))`;

/**
 * Stores since when answers arrive while the page's monitor is silent: a save came more than 25 s
 * after its last report. A heartbeat with a report of the monitor clears it.
 */
export async function recordSilence(db: Queryable, now: Date): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const silence = sql`${ATTEMPT_LIMITS.monitorSilentMs} * interval '1 millisecond'`;
  // Locks rows in the order of the heartbeat writer; rows it has locked wait for the next run.
  await db.execute(sql`
    update participants set silent_since = ${at}
    where id in (
      select p.id from participants p
      where p.status = 'in_progress' and p.silent_since is null
        and coalesce(p.monitor_at, p.started_at) < ${at} - ${silence}
        and exists (
          select from answers a
          where a.participant_id = p.id
            and a.saved_at > coalesce(p.monitor_at, p.started_at) + ${silence})
        and ${HAS_MONITOR}
      order by p.id
      for no key update of p skip locked)`);
}

/** Attempts whose silence has lasted long enough for a flag and has none yet. */
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

/** A camera is required of this person on this device. */
const HAS_CAMERA = sql`(pol.settings ->> 'camera')::boolean
  and p.camera_enabled and not p.is_phone`;

const POLICY = sql`join quiz_policies pol on pol.quiz_id = p.quiz_id and pol.version = p.policy_version`;

/**
 * Attempts whose page is there but has reported no further checked picture for 90 s (or three of its
 * intervals, if they are longer), and that have no flag for it: its workers were stopped, the camera is
 * missing, or the page is forged. An unmodified page reports this itself after a minute.
 */
export async function listUnchecked(db: Queryable): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select p.id from participants p ${POLICY}
    where p.status = 'in_progress' and p.checks_stalled_since <= p.last_seen_at - interval '1 millisecond'
        * greatest(${ATTEMPT_LIMITS.monitorBlindMs}, 3 * (pol.settings #>> '{face,everyMs}')::int)
      and ${HAS_CAMERA}
      and not exists (
        select from violations v
        where v.participant_id = p.id and v.type in ('camera_unjudged', 'camera_lost')
          and v.received_at >= p.checks_stalled_since)
    order by p.id`);
  return rows.map((row) => row.id);
}

/**
 * Attempts whose monitor reports but that miss three of the periodic stills that the policy
 * requires; one flag for each attempt. After a gap or on another device the count starts again.
 */
export async function listWithoutStills(db: Queryable, now: Date): Promise<string[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const missing = sql`interval '1 millisecond' * (3 * (pol.settings ->> 'stillEveryMs')::int + ${ATTEMPT_LIMITS.monitorBlindMs})`;
  const { rows } = await db.execute<{ id: string }>(sql`
    select p.id from participants p ${POLICY}
    where p.status = 'in_progress' and pol.settings ->> 'stillEveryMs' is not null
      and p.started_at < ${at} - ${missing}
      and p.monitor_at > ${at} - ${ATTEMPT_LIMITS.connectionGapMs} * interval '1 millisecond'
      and ${HAS_CAMERA}
      and not exists (
        select from evidence e
        where e.participant_id = p.id and e.violation_id is null and e.received_at >= ${at} - ${missing})
      and not exists (
        select from participant_events e
        where e.participant_id = p.id and e.at >= ${at} - ${missing}
          and e.kind in ('gap', 'device_changed'))
      and not exists (
        select from violations v where v.participant_id = p.id and v.type = 'stills_missing')
    order by p.id`);
  return rows.map((row) => row.id);
}
