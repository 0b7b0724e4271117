import type { Reach } from '@invigil/core/domain/rights';
import {
  COUNTING_TYPES,
  type CountingType,
  FLAG_TYPES,
  type FlagType,
  LIFECYCLE_TYPES,
  levelOf,
} from '@invigil/core/domain/violations/violation-types';
import { and, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/database.ts';
import { lastedLong } from '../../../db/queries/attempts/violations.ts';
import { ofQuizWithin } from '../../../db/queries/places.ts';
import { type PersonColumns, personDocuments } from '../../../db/queries/seen-people.ts';
import { participants } from '../../../db/schema/attempts.ts';

/** The person as those who see everyone do. */
interface BoardPerson extends PersonColumns {
  /** The person as all others see them, where that differs. */
  opened: PersonColumns | null;
}

export interface BoardRow extends BoardPerson {
  id: string;
  userEmail: string | null;
  quizId: string;
  quizTitle: string;
  startedAt: Date;
  deadlineAt: Date;
  pausedAt: Date | null;
  pausedUntil: Date | null;
  pausedMs: number;
  pauseReason: string | null;
  lastSeenAt: Date;
  silentSince: Date | null;
  helpAt: Date | null;
  totalMarks: number;
  violationCount: number;
  countedViolations: number;
  fullscreenExits: number;
  tabSwitches: number;
  isPhone: boolean;
  usedComputer: boolean;
  policySettings: unknown;
  cameraEnabled: boolean;
  microphoneEnabled: boolean;
  faceCovered: boolean;
  answered: number;
  signal: BoardSignal | null;
  /** The newest of the most severe signals since the requested moment. */
  worst: BoardSignal | null;
}

interface BoardSignal {
  id: string;
  type: CountingType | FlagType;
  at: string;
  counted: boolean;
  durationMs: number | null;
}

const instantText = sql.raw(`to_char(v.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

const signalJson = sql`jsonb_build_object('id', v.id, 'type', v.type, 'counted', v.counted,
  'durationMs', v.duration_ms, 'at', ${instantText})`;

const ofLevel = (...levels: string[]) =>
  sql.param([...COUNTING_TYPES, ...FLAG_TYPES].filter((type) => levels.includes(levelOf(type))));

/**
 * All attempts in progress. One statement a second serves every viewer of the board. The most
 * severe signal since `since` is only searched for where the newest one is not older.
 */
export async function listBoard(db: Queryable, since: Date): Promise<BoardRow[]> {
  const after = sql`${since.toISOString()}::timestamptz`;
  const { person, opened } = personDocuments();
  const { rows } = await db.execute<Record<string, unknown>>(sql`
    select p.id, users.email as "userEmail", ${person} as person, ${opened} as opened,
      p.quiz_id as "quizId", q.title as "quizTitle",
      p.started_at as "startedAt", p.deadline_at as "deadlineAt", p.last_seen_at as "lastSeenAt",
      p.paused_at as "pausedAt", p.paused_until as "pausedUntil", p.paused_ms as "pausedMs", p.pause_reason as "pauseReason",
      p.silent_since as "silentSince", p.help_at as "helpAt", p.total_marks as "totalMarks",
      greatest(p.counted_violations, p.violation_calls) as "violationCount",
      p.counted_violations as "countedViolations", p.fullscreen_exits as "fullscreenExits",
      p.tab_switches as "tabSwitches",
      p.is_phone as "isPhone",
      p.used_computer as "usedComputer", pol.settings as "policySettings",
      p.camera_enabled as "cameraEnabled",
      p.microphone_enabled as "microphoneEnabled",
      p.face_covered as "faceCovered",
      (select count(*)::int from answers a
        where a.participant_id = p.id and (a.option_id is not null or a.response is not null)) as answered,
      s.signal,
      case when s.at >= ${after} then
        (select ${signalJson}
          from violations v
          where v.participant_id = p.id and v.at >= ${after}
            and not (v.type = 'face_not_detected' and not v.counted and p.face_covered)
            and (v.type = any (${ofLevel('high', 'low')}::text[])
              or ${lastedLong(sql`v.type`, sql`v.duration_ms`)})
          order by case when v.counted then 1 when v.type = any (${ofLevel('high')}::text[]) then 0
            else 2 end, v.at desc, v.id desc
          limit 1) end as worst
    from participants p
    join users on users.id = p.user_id
    join invitations on invitations.id = p.invitation_id
    join quizzes q on q.id = p.quiz_id
    join quiz_policies pol on pol.quiz_id = p.quiz_id and pol.version = p.policy_version
    left join lateral (
      select v.at, ${signalJson} as signal
      from violations v
      where v.participant_id = p.id
        and v.type <> all (${sql.param([...LIFECYCLE_TYPES])}::text[])
      order by v.at desc, v.id desc limit 1) s on true
    where p.status = 'in_progress'`);
  return rows.map((row) => ({
    ...(row as unknown as BoardRow),
    ...(row.person as PersonColumns),
    startedAt: instant(row.startedAt),
    deadlineAt: instant(row.deadlineAt),
    lastSeenAt: instant(row.lastSeenAt),
    pausedAt: row.pausedAt === null ? null : instant(row.pausedAt),
    pausedUntil: row.pausedUntil === null ? null : instant(row.pausedUntil),
    silentSince: row.silentSince === null ? null : instant(row.silentSince),
    helpAt: row.helpAt === null ? null : instant(row.helpAt),
  }));
}

/** The number of counted violations of each kind. */
export interface KindCounts extends Record<string, unknown> {
  id: string;
  face: number;
  voice: number;
}

/** Counted violations of some attempts by kind: the board's own row has only the sum. */
export async function listKindCounts(db: Queryable, ids: string[]): Promise<KindCounts[]> {
  const { rows } = await db.execute<KindCounts>(sql`
    select v.participant_id as id,
      (count(*) filter (where v.type = 'face_not_detected'))::int as face,
      (count(*) filter (where v.type = 'voice_detected'))::int as voice
    from violations v
    where v.participant_id = any (${sql.param(ids)}::uuid[]) and v.counted
    group by v.participant_id`);
  return rows;
}

/** A raw statement returns times as the driver does: a `Date` or a text. */
function instant(value: unknown): Date {
  return value instanceof Date ? value : new Date(String(value));
}

/** The literal status matches a partial index, which a parameter would not. */
export const countWriting = (db: Queryable, reach: Reach): Promise<number> =>
  db.$count(
    participants,
    and(sql`${participants.status} = 'in_progress'`, ofQuizWithin(reach, participants.quizId)),
  );

/** Counts of an assessment with an attempt in progress, or with one that ended after `since`. */
export interface BoardQuiz extends Record<string, unknown> {
  quizId: string;
  title: string;
  writing: number;
  notStarted: number;
  completed: number;
  dismissed: number;
}

/** @param countedSince attempts that ended since then are counted */
export async function listBoardQuizzes(
  db: Queryable,
  since: Date,
  countedSince: Date,
): Promise<BoardQuiz[]> {
  const { rows } = await db.execute<BoardQuiz>(sql`
    with live as (
      select quiz_id from participants where status = 'in_progress'
      union
      select quiz_id from participants
      where replaced_at is null and submitted_at > ${since.toISOString()}::timestamptz
    )
    select q.id as "quizId", q.title,
      count(p.id) filter (where p.status = 'in_progress')::int as writing,
      count(p.id) filter (where p.status = 'completed')::int as completed,
      count(p.id) filter (where p.status = 'dismissed')::int as dismissed,
      (select count(*)::int from invitations i
        where i.quiz_id = q.id and i.revoked_at is null
          and not exists (select from participants a
            where a.invitation_id = i.id and a.replaced_at is null)) as "notStarted"
    from live
    join quizzes q on q.id = live.quiz_id
    left join participants p on p.quiz_id = q.id and p.replaced_at is null
      and (p.status = 'in_progress' or p.submitted_at > ${countedSince.toISOString()}::timestamptz)
    group by q.id, q.title
    order by q.title, q.id`);
  return rows;
}

export interface BoardEnded extends BoardPerson, Record<string, unknown> {
  id: string;
  userEmail: string | null;
  quizId: string;
  status: 'completed' | 'dismissed';
  submittedAt: string;
}

/** Attempts that ended after `since`, the newest first, at most `limit` of each assessment. */
export async function listBoardEnded(db: Queryable, since: Date, limit: number) {
  const { person, opened } = personDocuments();
  const { rows } = await db.execute<BoardEnded & { person: PersonColumns }>(sql`
    select p.id, users.email as "userEmail", ${person} as person, ${opened} as opened, p.quiz_id as "quizId", p.status,
      to_char(p.submitted_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "submittedAt"
    from (
      select *, row_number() over (partition by quiz_id order by submitted_at desc, id desc) as nth
      from participants
      where replaced_at is null and submitted_at > ${since.toISOString()}::timestamptz
    ) p join users on users.id = p.user_id
      join invitations on invitations.id = p.invitation_id
    where p.nth <= ${limit}
    order by p.submitted_at desc, p.id desc
    limit ${10 * limit}`);
  return rows.map(({ person, ...row }): BoardEnded => ({ ...row, ...person }));
}
