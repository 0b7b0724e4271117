import { ATTEMPT_LIMITS, VIOLATION_LIMITS } from '@invigil/core/domain/limits';
import { LONG_MS } from '@invigil/core/domain/violations/violation-types';
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
        and greatest(p.monitor_at, p.started_at, p.paused_until) < ${at} - ${silence}
        and exists (
          select from answers a
          where a.participant_id = p.id
            and a.saved_at > greatest(p.monitor_at, p.started_at, p.paused_until) + ${silence})
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

/** An attempt, and for how long its pictures were not checked in all, milliseconds. */
interface Unchecked extends Record<string, unknown> {
  id: string;
  durationMs: number;
}

/**
 * Attempts whose page is there but has reported no further checked picture for 90 s (or three of its
 * intervals, if they are longer), and that have no flag for it: its computer is slow, its workers were
 * stopped, the camera is missing, or the page is forged. An unmodified page reports this itself after a
 * minute. Once it is so long in all that it is for a reviewer, they are listed again.
 */
export async function listUnchecked(db: Queryable): Promise<Unchecked[]> {
  const { rows } = await db.execute<Unchecked>(sql`
    select p.id, long.ms as "durationMs"
    from participants p ${POLICY}
    cross join lateral (
      select coalesce(sum(v.duration_ms) filter (where v.received_at < p.checks_stalled_since), 0) as before_ms,
        max(case when v.type = 'camera_lost' then ${LONG_MS.camera_unjudged} else coalesce(v.duration_ms, 0) end)
          filter (where v.received_at >= p.checks_stalled_since) as flagged_ms
      from violations v
      where v.participant_id = p.id and v.type in ('camera_unjudged', 'camera_lost')) flags
    cross join lateral (
      select least(${VIOLATION_LIMITS.ageMaxMs}, flags.before_ms
        + extract(epoch from p.last_seen_at - p.checks_stalled_since) * 1000)::int as ms) long
    where p.status = 'in_progress' and p.checks_stalled_since <= p.last_seen_at - interval '1 millisecond'
        * greatest(${ATTEMPT_LIMITS.monitorBlindMs}, 3 * (pol.settings #>> '{face,everyMs}')::int)
      and ${HAS_CAMERA}
      and (flags.flagged_ms is null
        or flags.flagged_ms < ${LONG_MS.camera_unjudged} and long.ms >= ${LONG_MS.camera_unjudged})
    order by p.id`);
  return rows;
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
      and greatest(p.started_at, p.paused_until) < ${at} - ${missing}
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
