import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Reply, startTestApp, type TestApp } from '@invigil/testkit/app';
import { type BegunAttempt, beginAttempt, setUpApp, signInAdmin } from '@invigil/testkit/factories';
import { STILL } from '@invigil/testkit/stills';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../db/new-id.ts';

const DOCUMENT = new URL('../../../../docs/erasure.md', import.meta.url);

/** The decisions of docs/erasure.md, by column. */
const decisions = new Map(
  [...readFileSync(DOCUMENT, 'utf8').matchAll(/^\| `(\w+\.\w+)` \| (.*) \|$/gm)].map(
    ([, column = '', decision = '']) => [column, decision],
  ),
);

/** The condition for a person's rows of a table, by the column that refers to them. */
const OWN_ROWS: readonly (readonly [reference: string, where: string])[] = [
  ['invitation_id', 'invitation_id in (select id from invitations where user_id = $1)'],
  ['participant_id', 'participant_id in (select id from participants where user_id = $1)'],
  ['user_id', 'user_id = $1'],
  ['id', 'id = $1'],
];

describe('erasing a person', () => {
  const app = setUpApp();
  let userId: string;
  let erase: () => Promise<number>;
  /** The text that was put into each column. */
  const traces = new Map<string, string>();

  beforeAll(async () => {
    const admin = await signInAdmin(app);
    const attempt = await beginAttempt(app, admin);
    ({ userId } = attempt.candidate);
    const { rows } = await app.pool.query<{
      column: string;
      type: string;
      is_generated: string;
    }>(COLUMNS);
    await attempt.report('window_blur');
    const params = { id: attempt.id };
    await app.call('sendMessage', { as: admin, params, body: { text: 'Hello' } });
    await attempt.submit();
    await app.call('giveFeedback', {
      as: attempt.candidate.cookie,
      body: { participantId: attempt.id, emoji: 'sad', text: 'So so' },
    });
    await app.pool.query(
      `insert into evidence_keys (participant_id, sealed_key, created_at) values ($1, '\\x00', now())`,
      [attempt.id],
    );
    await app.pool.query(
      `insert into certificates (number, participant_id, issued_at, content, seal)
       values ('n', $1, now(), '{}', '\\x00')`,
      [attempt.id],
    );
    await app.pool.query(`insert into live_frames (number, frame) values (1, 'frame')`);
    for (const { column, type, is_generated } of rows) {
      // Made of others.
      if (is_generated === 'ALWAYS') continue;
      if (!decisions.get(column)?.startsWith('emptied')) continue;
      const trace = `trace-of-${column}-${newId()}`;
      traces.set(column, trace);
      await insertTrace(column, type, trace);
    }
    erase = async () =>
      (
        await app.call('erasePerson', {
          as: admin,
          params: { id: userId },
          body: { reason: 'Asked' },
        })
      ).status;
  });

  async function insertTrace(name: string, type: string, trace: string): Promise<void> {
    const [table = '', column = ''] = name.split('.');
    const { rows } = await app.pool.query<{ name: string }>(
      'select column_name as name from information_schema.columns where table_name = $1',
      [table],
    );
    const found = OWN_ROWS.find(([reference]) => rows.some((row) => row.name === reference));
    const document = `coalesce(${column}, '{}') || jsonb_build_object('subject', $2::text, 'other', $2::text)`;
    const value =
      { jsonb: document, bytea: `convert_to($2::text, 'UTF8')`, ARRAY: 'array[$2::text]' }[type] ??
      '$2::text';
    const { rowCount } = await app.pool.query(
      `update ${table} set ${column} = ${value} where ${found?.[1] ?? '$1::text is not null'}`,
      [userId, trace],
    );
    if (rowCount === 0) throw new Error(`the person has no row in ${table} to try ${column} with`);
  }

  /** The columns whose trace is found in the database, as text or as bytes. */
  async function found(): Promise<string[]> {
    const { rows } = await app.pool.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables
       where table_schema = 'public'`,
    );
    let everything = '';
    for (const { name } of rows) {
      const { rows: texts } = await app.pool.query(`select t::text from ${name} t`);
      everything += JSON.stringify(texts);
    }
    const hexOf = (text: string) => Buffer.from(text).toString('hex');
    return [...traces.keys()].filter((column) => {
      const trace = traces.get(column) ?? '';
      return everything.includes(trace) || everything.includes(hexOf(trace));
    });
  }

  it('has a documented decision for every column that can hold text or bytes', async () => {
    const { rows } = await app.pool.query<{ column: string }>(COLUMNS);
    expect([...decisions.keys()].sort()).toEqual(rows.map(({ column }) => column).sort());
    for (const decision of decisions.values()) {
      expect(decision).toMatch(/^(emptied|locked|stays|not about candidates)/);
    }
  });

  it('empties each column that is documented as emptied', async () => {
    expect(traces.size).toBeGreaterThan(15);
    expect(await found()).toEqual([...traces.keys()]);
    expect(await erase()).toBe(204);
    expect(await found()).toEqual([]);
    const searched = await app.pool.query('select search_text from users where email is null');
    expect(searched.rows).toEqual([{ search_text: '' }]);
    const { rows } = await app.pool.query('select count(*)::int as n from erased_leftovers');
    expect(rows).toEqual([{ n: 1 }]);
  });
});

const COLUMNS = `
  select table_name || '.' || column_name as column, data_type as type, is_generated
  from information_schema.columns join information_schema.tables using (table_schema, table_name)
  where table_schema = 'public' and table_type = 'BASE TABLE'
    and (data_type in ('text', 'character varying', 'json', 'jsonb', 'bytea')
      or data_type = 'ARRAY' and udt_name = '_text')
  order by 1`;

describe('a request during the erasure of a person', () => {
  let app: TestApp;
  let admin: string;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'invigil-erasure-'));
    app = await startTestApp({ DATA_DIR: folder });
    admin = await signInAdmin(app);
  });
  afterAll(async () => {
    await app.stop();
    rmSync(folder, { recursive: true });
  });

  const waiting = async () =>
    (
      await app.pool.query(
        `select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).rows.length;

  /** Locks the attempt, so that the erasure waits for it and the call waits for the erasure. */
  async function callDuringErasure(attempt: BegunAttempt, call: () => Promise<Reply>) {
    const holder = await app.pool.connect();
    try {
      await holder.query('begin');
      await holder.query('select from participants where id = $1 for update', [attempt.id]);
      const erasing = app.call('erasePerson', {
        as: admin,
        params: { id: attempt.candidate.userId },
        body: { reason: 'Asked for it' },
      });
      await expect.poll(waiting).toBe(1);
      const calling = call();
      await expect.poll(waiting).toBe(2);
      await holder.query('rollback');
      expect((await erasing).status).toBe(204);
      return await calling;
    } finally {
      holder.release();
    }
  }

  async function ended(): Promise<{ attempt: BegunAttempt; violation: string }> {
    const attempt = await beginAttempt(app, admin);
    const violation = (await attempt.report('looking_away')).body.id;
    await attempt.submit();
    return { attempt, violation };
  }

  it.each<[string, (attempt: BegunAttempt, violation: string) => Promise<Reply>, string]>([
    [
      'a note on a violation',
      ({ candidate }, violation) =>
        app.call('noteViolation', {
          as: candidate.cookie,
          params: { id: violation },
          body: { note: 'I, Frida' },
        }),
      'select from violations where participant_id = $1 and candidate_note is not null',
    ],
    [
      'feedback',
      ({ candidate, id }) =>
        app.call('giveFeedback', {
          as: candidate.cookie,
          body: { participantId: id, emoji: 'sad', text: 'I, Frida' },
        }),
      'select from feedback where participant_id = $1',
    ],
    [
      'a last report of the page',
      (attempt) => attempt.report('manual_submit', { notes: 'I, Frida' }),
      'select from violations where participant_id = $1 and notes is not null',
    ],
    [
      'evidence, where there was none before',
      ({ candidate, id }, violation) =>
        app.call('uploadEvidence', {
          as: candidate.cookie,
          params: { id },
          body: {
            id: newId(),
            violationId: violation,
            stills: [{ offsetMs: 0, jpeg: STILL }],
          },
        }),
      'select from evidence where participant_id = $1',
    ],
  ])('stores nothing: %s', async (_, call, kept) => {
    const { attempt, violation } = await ended();
    const reply = await callDuringErasure(attempt, () => call(attempt, violation));
    expect(reply).toMatchObject({ status: 401, body: { code: 'NOT_SIGNED_IN' } });
    expect((await app.pool.query(kept, [attempt.id])).rows).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
