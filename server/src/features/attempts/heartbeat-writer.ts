import type { AttemptStatus, SubmissionType } from '@invigil/core/domain/attempt';
import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import type pg from 'pg';
import { Batches } from '../../db/batches.ts';
import { isDatabaseAway, timeoutOf } from '../../db/database-away.ts';
import { newId } from '../../db/new-id.ts';
import { focusedSql, focusedText } from '../../db/queries/attempts/focus.ts';
import type { Device } from '../../security/request-device.ts';

interface Heartbeat {
  participantId: string;
  sessionId: string;
  /** Whether it carried a monitor report. */
  isMonitored: boolean;
  /** How many pictures the monitor has checked; `null`: it does not say; left out: not a heartbeat. */
  checks?: number | null;
  /** Seconds of each question in view; left out: not reported. */
  focused?: readonly number[] | undefined;
  /** The device that the request came from; left out: not compared. */
  device?: Device;
  now: Date;
}

/** A heartbeat's result; `undefined` when the asking session does not hold the attempt. */
export interface HeartbeatResult {
  status: AttemptStatus;
  submissionType: SubmissionType | null;
  deadlineAt: Date;
  pausedAt: Date | null;
  pausedUntil: Date | null;
  pausedMs: number;
  pauseReason: string | null;
  violationCount: number;
  messageCount: number;
  helpAt: Date | null;
  /** Whether the request came from a device other than the known one. */
  isOtherDevice: boolean;
}

const MOST_HEARTBEATS = 500;
/** The page does not wait for a heartbeat. */
const GATHER_MS = 25;
/** The next heartbeat is due by then. */
const TIMEOUT_MS = 10_000;

/*
 * Reads the state and records the candidate's presence for many at once, and the gap that ends with it
 * (connection-gap.ts). An ended attempt still returns its state to the session that held it, so that the
 * browser learns of the end. Each attempt is looked up by its key, in key order, whatever statistics the
 * database has (see answer-writer.ts).
 */
const HEARTBEAT_SQL = `
with heartbeat as (
  select * from unnest($1::int[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::boolean[], $6::uuid[],
      $7::boolean[], $8::int[], $9::jsonb[], $10::text[])
    as b(n, participant_id, session_id, now, is_monitored, gap_id, says_checks, checks, device, focused)
  order by participant_id
), held as (
  select b.n, b.now, b.is_monitored, b.gap_id, b.says_checks, b.checks, b.focused,
    b.device is not null and (p.device @> b.device) is not true as is_other_device, p.*
  from heartbeat b
  cross join lateral (
    select p.id, p.status, p.submission_type, p.deadline_at, p.message_count, p.help_at,
      p.paused_at, p.paused_until, p.paused_ms, p.pause_reason, p.last_seen_at, p.device,
      greatest(p.counted_violations, p.violation_calls) as violation_count
    from participants p
    where p.id = b.participant_id and p.session_id = b.session_id
    for no key update of p
  ) p
), seen as (
  update participants p set last_seen_at = h.now,
    monitor_at = case when h.is_monitored then h.now else p.monitor_at end,
    silent_since = case when h.is_monitored then null else p.silent_since end,
    -- While the clock stands still the page has no monitor; it begins anew afterwards.
    monitor_checks = case when h.paused_until > h.now then null else greatest(p.monitor_checks, h.checks) end,
    focused = ${focusedSql('h.focused', 'h.now')},
    checks_stalled_since = case
      when h.paused_until > h.now then null
      when not h.says_checks then p.checks_stalled_since
      -- The first number after a start shows nothing yet, or repeated starts with the same one would hide a silence.
      when h.checks > p.monitor_checks then null
      -- After a gap the monitor has all of its time again, as at a return.
      when p.monitor_checks is null and h.checks > 0
        and h.now - h.last_seen_at > ${ATTEMPT_LIMITS.connectionGapMs} * interval '1 millisecond' then h.now
      else coalesce(p.checks_stalled_since, h.now) end
  from held h where p.id = h.id and h.status = 'in_progress'
), gap as (
  insert into participant_events (id, participant_id, kind, at, details)
  select h.gap_id, h.id, 'gap', h.now, jsonb_build_object('from',
    to_char(greatest(h.last_seen_at, h.paused_until) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from held h
  where h.status = 'in_progress'
    and h.now - greatest(h.last_seen_at, h.paused_until) > ${ATTEMPT_LIMITS.connectionGapMs} * interval '1 millisecond'
)
select n, status, submission_type as "submissionType", deadline_at as "deadlineAt",
  violation_count as "violationCount", message_count as "messageCount", help_at as "helpAt",
  paused_at as "pausedAt", paused_until as "pausedUntil", paused_ms as "pausedMs", pause_reason as "pauseReason",
  is_other_device as "isOtherDevice"
from held`;

/** Heartbeats in group commits: ten thousand candidates send a thousand heartbeats a second. */
export class HeartbeatWriter {
  readonly #batches: Batches<Heartbeat, HeartbeatResult | undefined>;

  /** @param gatherMs how long heartbeats are collected; tests, which send one at a time, do not wait */
  constructor(
    { pool, batchPool }: { pool: pg.Pool; batchPool: pg.Pool },
    gatherMs: number = GATHER_MS,
  ) {
    this.#batches = new Batches<Heartbeat, HeartbeatResult | undefined>({
      keyOf: (heartbeat) => heartbeat.participantId,
      most: MOST_HEARTBEATS,
      gatherMs,
      isForAll: isDatabaseAway,
      timeout: timeoutOf(TIMEOUT_MS, 'a heartbeat waited too long'),
      run: (heartbeats) => write(batchPool, heartbeats),
      alone: async (heartbeat) => (await write(pool, [heartbeat]))[0],
    });
  }

  record(heartbeat: Heartbeat): Promise<HeartbeatResult | undefined> {
    return this.#batches.add(heartbeat);
  }

  idle(): Promise<void> {
    return this.#batches.idle();
  }
}

/** One statement for the whole batch; returns the results in the order of the heartbeats. */
async function write(pool: pg.Pool, sent: Heartbeat[]): Promise<(HeartbeatResult | undefined)[]> {
  const { rows } = await pool.query<HeartbeatResult & { n: number }>({
    name: 'heartbeat',
    text: HEARTBEAT_SQL,
    values: [
      sent.map((_, n) => n),
      sent.map((b) => b.participantId),
      sent.map((b) => b.sessionId),
      sent.map((b) => b.now.toISOString()),
      sent.map((b) => b.isMonitored),
      sent.map(() => newId()),
      sent.map((b) => b.checks !== undefined),
      sent.map((b) => b.checks ?? null),
      sent.map((b) => (b.device === undefined ? null : JSON.stringify(b.device))),
      sent.map((b) => focusedText(b.focused)),
    ],
  });
  const found = new Map(rows.map(({ n, ...result }) => [n, result]));
  return sent.map((_, n) => found.get(n));
}
