import { setTimeout as delay } from 'node:timers/promises';
import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { listBoard } from '../../features/review/live/board-queries.ts';
import { noteSilence } from '../../jobs/monitor-queries.ts';
import { HeldWindow } from '../../testing/held-window.ts';
import { silentLog } from '../../testing/silent-log.ts';
import { openPool } from '../connection/pool.ts';
import { openDatabase } from '../database.ts';
import { newId } from '../new-id.ts';
import { findParticipant } from '../queries/attempts/attempts.ts';
import { migrate, migrateTo, OURS } from './migrate.ts';

/** The last schema in which attempts had no sensor switches of their own. */
const BEFORE = 8;

/** A database of the previous version, and what a process of that version does in it. */
describe('a database of an earlier version', () => {
  let pool: pg.Pool;
  let quizId: string;

  beforeEach(async () => {
    const database = `m_${newId().replaceAll('-', '')}`;
    const maker = new pg.Client(inject('postgres'));
    await maker.connect();
    await maker.query(`create database ${database}`);
    await maker.end();
    const where = { ...inject('postgres'), database };
    const client = new pg.Client(where);
    await client.connect();
    await migrateTo(client, BEFORE);
    await client.end();
    pool = openPool(where, silentLog);
    quizId = newId();
    await pool.query(
      `with c as (
         insert into categories (id, name, created_at) values ($1, 'C', now()) returning id
       ), q as (
         insert into quizzes (id, title, category_id, duration, total_questions, finish_after_end,
           is_active, policy_version, version, created_at, updated_at)
         select $2, 'Q', id, 30, 5, false, true, 1, 1, now(), now() from c returning id
       )
       insert into quiz_policies (quiz_id, version, settings, created_at)
       select id, 1, '{"camera": true, "microphone": false, "fullscreen": false}', now() from q`,
      [newId(), quizId],
    );
  });
  afterEach(() => pool.end());

  it('with foreign migrations is refused with one line, and not changed', async () => {
    await pool.query(`update drizzle.__drizzle_migrations set hash = 'x' where id = 2`);
    await expect(migrate(pool, silentLog)).rejects.toThrow(
      /^The data were made by an earlier version of Invigil .*DATABASE_URL\.$/,
    );
    const { rows } = await pool.query(
      'select count(*)::int as n from drizzle.__drizzle_migrations',
    );
    expect(rows[0].n).toBe(BEFORE);
  });

  /** Returns the ids of one attempt for each of these invitation switches. */
  async function beginAttempts(switches: [camera: boolean, microphone: boolean][]) {
    const ids: string[] = [];
    for (const [camera, microphone] of switches) {
      const id = newId();
      await pool.query(
        `with u as (
           insert into users (id, email, created_at) values ($1::uuid, $1::text, now()) returning id
         ), i as (
           insert into invitations (id, user_id, quiz_id, extra_time_factor, camera_enabled,
             microphone_enabled, created_at, last_invited_at)
           select $2, id, $3, 1, $4, $5, now(), now() from u returning *
         )
         insert into participants (id, invitation_id, user_id, quiz_id, attempt, status,
           policy_version, total_marks, started_at, deadline_at, close_at, close_reason,
           last_seen_at, counted_violations, violation_calls, fullscreen_exits, tab_switches)
         select $6, id, user_id, quiz_id, 1, 'in_progress', 1, 5, now(), now(), now(), 'auto', now(),
           0, 0, 0, 0 from i`,
        [newId(), newId(), quizId, camera, microphone, id],
      );
      ids.push(id);
    }
    return ids;
  }

  const stored = async () =>
    (
      await pool.query(
        `select camera_enabled as camera, microphone_enabled as microphone from participants
         order by id`,
      )
    ).rows;

  it('copies the sensor switches of invitations to their attempts for good', async () => {
    await beginAttempts([
      [true, true],
      [false, true],
      [true, false],
    ]);
    await migrate(pool, silentLog);
    expect(await stored()).toEqual([
      { camera: true, microphone: true },
      { camera: false, microphone: true },
      { camera: true, microphone: false },
    ]);
    expect((await pool.query('select from drizzle.__drizzle_migrations')).rowCount).toBe(
      OURS.length,
    );
  });

  it('also serves the previous version, whose attempts use the invitation’s switches', async () => {
    await migrate(pool, silentLog);
    const [on = '', off = ''] = await beginAttempts([
      [true, false],
      [false, true],
    ]);
    expect(await stored()).toEqual([
      { camera: null, microphone: null },
      { camera: null, microphone: null },
    ]);
    const db = openDatabase(pool);
    const board = await listBoard(db, new Date(0));
    for (const [id, switches] of [
      [on, { cameraEnabled: true, microphoneEnabled: false }],
      [off, { cameraEnabled: false, microphoneEnabled: true }],
    ] as const) {
      expect(await findParticipant(db, id)).toMatchObject({ id, ...switches });
      expect(board.find((row) => row.id === id)).toMatchObject(switches);
    }
  });

  it('also serves the previous version, which uses the old names of renamed tables', async () => {
    const [attempt] = await beginAttempts([[true, true]]);
    const action = newId();
    const apply = () =>
      pool.query(
        `insert into done_deeds (deed_id, participant_id, at) values ($1, $2, now())
         on conflict do nothing returning participant_id`,
        [action, attempt],
      );
    const publish = (frame: string) =>
      pool.query(
        `insert into live_looks (number, frame) values (1, $1)
         on conflict (number) do update set frame = excluded.frame`,
        [frame],
      );
    expect((await apply()).rowCount).toBe(1);
    await migrate(pool, silentLog);
    expect((await apply()).rowCount).toBe(0);
    expect((await pool.query('select action_id from applied_actions')).rows).toEqual([
      { action_id: action },
    ]);
    await publish('first');
    await publish('second');
    expect((await pool.query('select number, frame from live_frames')).rows).toEqual([
      { number: '1', frame: 'second' },
    ]);
    expect((await pool.query('delete from live_looks where number <= 1')).rowCount).toBe(1);
  });

  it('expects no monitor where the invitation has it switched off', async () => {
    await migrate(pool, silentLog);
    const [on] = await beginAttempts([
      [true, false],
      [false, true],
    ]);
    const later = new Date(Date.now() + 10 * ATTEMPT_LIMITS.monitorSilentMs);
    await pool.query('alter table answers drop constraint answers_on_paper');
    await pool.query(
      `insert into answers (participant_id, question_id, id, is_flagged, revision, created_at, saved_at)
       select p.id, gen_random_uuid(), gen_random_uuid(), false, 1, $1, $1 from participants p`,
      [later],
    );
    await noteSilence(openDatabase(pool), later);
    const { rows } = await pool.query('select id from participants where silent_since is not null');
    expect(rows).toEqual([{ id: on }]);
  });

  it('is migrated during long reads of its tables, without delaying saves', {
    tags: 'long',
  }, async () => {
    const [id] = await beginAttempts([[true, true]]);
    // As a backup does, table by table, and pg_dump to its end.
    const reader = await HeldWindow.open(pool, 'select from participants', []);
    const log = { warn: vi.fn() };
    const migrating = migrate(pool, log);
    try {
      const touch = async () => {
        const began = performance.now();
        await pool.query('update participants set last_seen_at = now() where id = $1', [id]);
        return performance.now() - began;
      };
      const waits: number[] = [];
      while (log.warn.mock.calls.length < 2) {
        waits.push(await touch());
        await delay(100);
      }
      expect(Math.max(...waits)).toBeLessThan(4_000);
      expect(log.warn).toHaveBeenCalledWith(
        { holders: [expect.stringMatching(/^invigil \(process \d+, for \d+ s\)$/)] },
        expect.stringContaining('something else reads its tables'),
      );
    } finally {
      await reader.release();
    }
    await migrating;
    expect(await stored()).toEqual([{ camera: true, microphone: true }]);
  });

  it('stops waiting when the start is aborted', async () => {
    const reader = await HeldWindow.open(pool, 'select from participants', []);
    const end = new AbortController();
    const migrating = migrate(pool, { warn: () => end.abort() }, end.signal);
    await expect(migrating).rejects.toThrow(/aborted/);
    await reader.release();
  });
});
