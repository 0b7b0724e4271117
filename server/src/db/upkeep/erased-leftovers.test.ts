import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestApp, type TestApp } from '@invigil/testkit/app';
import { uploadEvidence } from '@invigil/testkit/evidence';
import { beginAttempt, inviteCandidate, makeQuiz, signInAdmin } from '@invigil/testkit/factories';
import { silentLog } from '@invigil/testkit/silent-log';
import { cleanUp, started, workFolder } from '@invigil/testkit/supervised-postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openPool } from '../connection/pool.ts';
import type { EmbeddedPostgres } from '../embedded-postgres/supervisor.ts';
import { removeLeftovers } from './erased-leftovers.ts';
import { migrate } from './migrate.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const TEXTS = {
  address: 'frida.kahlo-7f3a@example.org',
  device: 'Webcam of Frida 5c1e',
  engine: 'engine of frida 77d2',
  notes: 'Frida looked away 18ab',
  note: 'Frida phoned us 93c4',
  message: 'Hello Frida 2e6f',
  feedback: 'Signed, Frida 41d9',
  network: '203.0.113.77',
  recipient: 'frida.mailed-3b60@example.org',
  mail: 'Dear Frida 6d12',
  event: 'seen on Frida 8e57',
  look: 'Frida on the board 4c05',
  certificate: 'Issued to Frida b2e8',
};

describe('erased data in the files of the embedded database', () => {
  let dataDir: string;
  let server: EmbeddedPostgres;
  let app: TestApp;
  let pool: pg.Pool;
  let admin: string;
  let attempt: Awaited<ReturnType<typeof beginAttempt>>;
  let needles: Record<string, Buffer>;

  beforeAll(async () => {
    dataDir = join(workFolder(), 'data');
    // The database runs as in an installation, but without waiting for the disk.
    server = await started(dataDir, { settings: { fsync: 'off' } });
    pool = openPool(server.connection, silentLog);
    await migrate(pool, silentLog);
    const { connection } = server;
    const database = { pool, connection, stop: () => pool.end() };
    app = await startTestApp({ DATA_DIR: dataDir }, Promise.resolve(database));
    admin = await signInAdmin(app);
    attempt = await beginAttempt(app, admin);
    needles = await leaveTraces();
    // An hour of service would leave the same: statistics, and pages on the disk.
    await pool.query('analyze');
    await pool.query('checkpoint');
  });
  afterAll(async () => {
    await app.stop();
    await cleanUp();
  });

  async function leaveTraces(): Promise<Record<string, Buffer>> {
    const { id, candidate } = attempt;
    const params = { id };
    const as = candidate.cookie;
    await uploadEvidence(app, attempt, {
      report: { notes: TEXTS.notes, engine: TEXTS.engine },
      levels: { offsetMs: -300, everyMs: 300, values: [0, 12] },
    });
    await app.call('sendMessage', { as: admin, params, body: { text: TEXTS.message } });
    await app.call('submitParticipant', { as, params, body: { answers: [] } });
    const feedback = { participantId: id, emoji: 'sad', text: TEXTS.feedback };
    await app.call('giveFeedback', { as, body: feedback });
    await app.call('noteParticipant', { as: admin, params, body: { note: TEXTS.note } });
    const body = { how: 'another', reason: 'Frida was ill' };
    await app.call('replaceParticipant', { as: admin, params, body });
    await app.tamper('update users set email = $1 where id = $2', [
      TEXTS.address,
      candidate.userId,
    ]);
    await pool.query(
      'update participants set device_check = $1, consent_address = $2, consent_at = started_at where id = $3',
      [{ camera: TEXTS.device }, TEXTS.network, id],
    );
    await pool.query(
      `update outbox set recipient = $1, variables = variables || $2
       where invitation_id in (select id from invitations where user_id = $3)`,
      [TEXTS.recipient, { greeting: TEXTS.mail }, candidate.userId],
    );
    await pool.query('update participant_events set details = $1 where participant_id = $2', [
      { device: TEXTS.event },
      id,
    ]);
    await pool.query(
      `insert into certificates (number, participant_id, issued_at, content, seal)
       values ('1', $1, now(), $2, '\\x00')`,
      [id, { name: TEXTS.certificate }],
    );
    await pool.query('insert into live_frames (number, frame) values (1, $1)', [TEXTS.look]);
    // A checkpoint does not write an unlogged table; this does.
    await pool.query('vacuum (full) live_frames');
    const { rows } = await pool.query<{ person: Buffer; evidence: Buffer }>(
      `select u.sealed_key as person, k.sealed_key as evidence
       from users u join participants p on p.user_id = u.id
       join evidence_keys k on k.participant_id = p.id where p.id = $1`,
      [id],
    );
    const keys = rows[0];
    if (!keys) throw new Error('the attempt has no keys');
    return {
      // A piece of each, long enough to be unique.
      'key of the person': keys.person.subarray(12, 44),
      'key of the evidence': keys.evidence.subarray(12, 44),
      ...Object.fromEntries(Object.entries(TEXTS).map(([name, t]) => [name, Buffer.from(t)])),
    };
  }

  /** The folders of the data folder in which each trace is found. */
  function scan(): Record<string, string[]> {
    const found: Record<string, Set<string>> = {};
    for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const isLog = entry.parentPath.includes('pg_wal');
      const file = readIfThere(join(entry.parentPath, entry.name));
      const bytes = isLog ? withoutPageHeads(file) : file;
      for (const [name, needle] of Object.entries(needles)) {
        if (!bytes.includes(needle)) continue;
        found[name] ??= new Set();
        found[name].add(isLog ? 'log' : 'tables');
      }
    }
    return Object.fromEntries(Object.entries(found).map(([name, where]) => [name, [...where]]));
  }

  const remove = (now = app.clock.now()) => removeLeftovers(pool, silentLog, now);
  const everywhere = () =>
    Object.fromEntries(
      Object.keys(needles).map((name) => [
        name,
        name === 'look' ? ['tables'] : expect.arrayContaining(['log']),
      ]),
    );

  it('is there before the erasure, and right after it', async () => {
    expect(scan()).toEqual(everywhere());
    expect(scan()['key of the evidence']).toContain('tables');
    expect(await remove()).toBeNull();
    const params = { id: attempt.candidate.userId };
    const reply = await app.call('erasePerson', { as: admin, params, body: { reason: 'Asked' } });
    expect(reply.status).toBe(204);
    // Evidence files are removed after the commit, unawaited: no folder may vanish during a listing.
    const keys = async () => {
      const { rows } = await pool.query(
        'select files_removed_at is not null as gone from evidence_keys where participant_id = $1',
        [attempt.id],
      );
      return rows;
    };
    await expect.poll(keys).toEqual([{ gone: true }]);
    await pool.query('checkpoint');
    expect(scan()).toEqual(everywhere());
  });

  it('stays while an older transaction can see it', async () => {
    // Younger than the erasure, but older than one that has not committed when it begins.
    const reader = new pg.Client(server.connection);
    await reader.connect();
    await reader.query('begin isolation level repeatable read; select 1 from users');
    await pool.query('update erased_leftovers set since = since');
    expect(await remove()).toBeNull();
    await reader.end();
    const readers = async () => {
      const { rows } = await pool.query(
        `select 1 from pg_stat_activity where application_name = '' and backend_type = 'client backend'
           and datname = current_database() and backend_xmin is not null`,
      );
      return rows;
    };
    await expect.poll(readers).toEqual([]);
    expect(scan()).toEqual(everywhere());
  });

  it('waits for attempts in progress, for a day at most', async () => {
    const { id: quizId } = await makeQuiz(app, admin);
    const other = await inviteCandidate(app, admin, quizId, 'other@example.org');
    const start = await app.call('startParticipant', { as: other.cookie, body: {} });
    expect(start.status).toBe(201);
    expect(await remove()).toBeNull();
    expect(scan()).toEqual(everywhere());
    const nextDay = new Date(app.clock.now().getTime() + 24 * 3_600_000 + 1_000);
    expect(await remove(nextDay)).toEqual({ tooLarge: [], refused: [] });
  });

  it('is gone from every file, whatever is written afterwards', async () => {
    expect(scan()).toEqual({});
    expect(await remove()).toBeNull();
    await pool.query('checkpoint');
    await pool.query('analyze');
    await pool.query('checkpoint');
    expect(scan()).toEqual({});
  });

  it('reports what the database does not permit', async () => {
    const owner = new pg.Client({ ...server.superuser, database: server.connection.database });
    await owner.connect();
    await owner.query('revoke pg_checkpoint from invigil');
    await owner.query('revoke execute on function pg_switch_wal() from invigil');
    await owner.end();
    await pool.query(`insert into erased_leftovers (since) values (now() - interval '2 years')`);
    const log = { info: vi.fn(), warn: vi.fn() };
    const done = await removeLeftovers(pool, log, app.clock.now());
    expect(done).toEqual({ tooLarge: [], refused: ['checkpoint', 'select pg_switch_wal()'] });
    expect(log.warn).toHaveBeenCalledOnce();
    expect((await pool.query('select from erased_leftovers')).rowCount).toBe(0);
  });
});

/** PostgreSQL removes its own files during the search: a removed one contains nothing. */
function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return Buffer.alloc(0);
    throw error;
  }
}

/**
 * The write-ahead log in pages of 8 KiB, each with a head of 24 bytes, the first of a file of 40
 * (PostgreSQL, src/include/access/xlog_internal.h): a text may continue behind one.
 */
function withoutPageHeads(segment: Buffer): Buffer {
  const pages: Buffer[] = [];
  for (let at = 0; at < segment.length; at += 8_192) {
    pages.push(segment.subarray(at + (at === 0 ? 40 : 24), at + 8_192));
  }
  return Buffer.concat(pages);
}
