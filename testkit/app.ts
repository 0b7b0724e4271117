import type { KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Endpoint } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import pg from 'pg';
import { inject } from 'vitest';
import { type App, createApp } from '../server/src/boot/app.ts';
import { openPool } from '../server/src/db/connection/pool.ts';
import { openDatabase } from '../server/src/db/database.ts';
import { newId } from '../server/src/db/new-id.ts';
import { storeSchedules } from '../server/src/db/queries/schedules.ts';
import { inTransaction } from '../server/src/db/transaction.ts';
import { type Config, parseConfig } from '../server/src/runtime/config.ts';
import { deriveKeys } from '../server/src/security/keys.ts';
import { storeFirstPolicy } from '../server/src/sessions/sign-in-policy.ts';
import { ROW_KINDS } from '../server/src/trust/row-kinds.ts';
import { isWhole, type SealedKind, sealRows, walkRows } from '../server/src/trust/sealed-kinds.ts';
import { FakeClock } from './fake-clock.ts';
import type {} from './global-setup.ts';
import { type HttpInput, pathOf } from './http-person.ts';
import { silentLog } from './silent-log.ts';

/** A database of a test's own. */
export interface TestDatabase {
  /** The connections of the app under test. */
  pool: pg.Pool;
  /** Settings for a process or thread that opens connections of its own. */
  connection: pg.PoolConfig;
  stop(): Promise<void>;
}

/** Clones the template. The clone remains after the test: the whole cluster is removed with the run. */
export async function startTestDatabase(): Promise<TestDatabase> {
  const postgres = inject('postgres');
  const database = `t_${newId().replaceAll('-', '')}`;
  const admin = new pg.Client(postgres);
  await admin.connect();
  await admin.query(`create database ${database} template ${inject('template')}`);
  const connection = { ...postgres, database };
  const pool = openPool(connection, silentLog);
  return {
    pool,
    connection,
    async stop() {
      await pool.end();
      await admin.end();
    },
  };
}

/**
 * The settings of an app under test, with those of `env`. Requests through `inject` are faster than any
 * page's, so their budget is large unless a test is about it.
 */
export function testConfig(env: Record<string, string> = {}): Config {
  const usual = { TIME_ZONE: 'Europe/Berlin', DATA_DIR: '/nonexistent', REQUEST_BUDGET: '1000' };
  const parsed = parseConfig({ ...usual, ...env });
  if ('problems' in parsed) throw new Error(parsed.problems.join('\n'));
  return parsed.config;
}

export interface TestApp extends App {
  clock: FakeClock;
  /** The connections of the app. What a test writes into a table with seals is sealed as if Invigil had written it. */
  pool: pg.Pool;
  /** Changes the database as an attacker who lacks the keys: nothing is sealed. */
  tamper(sql: string, values?: unknown[]): Promise<pg.QueryResult>;
  /** A second app on the same database and clock, to simulate a restart or another process. */
  rebuild(): Promise<void>;
  call(name: EndpointName, input?: CallInput): Promise<Reply>;
  stop(): Promise<void>;
}

export interface CallInput extends HttpInput {
  /** The session cookie of the caller. */
  as?: string | undefined;
  headers?: Record<string, string>;
  address?: string;
}

export interface Reply {
  status: number;
  // A test reads what it expects, and fails if it is missing.
  // biome-ignore lint/suspicious/noExplicitAny: foreign data under test
  body: any;
  text: string;
  bytes: Buffer;
  headers: Record<string, unknown>;
  /** The session cookie that the answer sets. */
  cookie: string | undefined;
}

const SECRET = 'a secret for tests that nobody else uses';

/**
 * An app on its own database, cloned from the template unless the test passes one, with a clock that the
 * test moves.
 */
export async function startTestApp(
  env: Record<string, string> = {},
  starting: Promise<TestDatabase> = startTestDatabase(),
): Promise<TestApp> {
  const database = await starting;
  const { pool } = database;
  const keys = deriveKeys(SECRET);
  let isTampered = false;
  const dataDir = env.DATA_DIR ?? mkdtempSync(join(tmpdir(), 'invigil-app-'));
  const config = testConfig({ ...env, DATA_DIR: dataDir });
  const clock = new FakeClock();
  const build = () =>
    createApp({
      ...{ config, pool, clock, keys, log: silentLog, webDist: null },
      heartbeatGatherMs: 0,
    });
  let app = await build();
  await storeFirstPolicy(app.context, clock.now());

  return {
    get fastify() {
      return app.fastify;
    },
    get context() {
      return app.context;
    },
    clock,
    pool: sealing(pool, keys.integrity),
    tamper(sql, values = []) {
      isTampered = true;
      return pool.query(sql, values);
    },
    startJobs: () => app.startJobs(),
    close: () => app.close(),
    call: (name, input) => call(app, name, input),
    async rebuild() {
      const old = app;
      app = await build();
      await old.close();
    },
    async stop() {
      await app.close();
      if (!isTampered) await requireSealed(pool, keys.integrity);
      await requireSchedules(pool);
      await database.stop();
      if (env.DATA_DIR === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const WRITES = new RegExp(
  `\\b(?:update|insert into) (${ROW_KINDS.map(({ place }) => place.table).join('|')})\\b`,
  'gi',
);

/**
 * A pool for a test's own statements: they stand for what Invigil would have written. Rows that had no seal, or
 * another, before are left as they are: the app wrote them so, and the test fails when it ends.
 */
function sealing(pool: pg.Pool, key: KeyObject): pg.Pool {
  const query = async (statement: string | pg.QueryConfig, values?: unknown[]) => {
    const text = typeof statement === 'string' ? statement : statement.text;
    const tables = new Set([...text.matchAll(WRITES)].map(([, table]) => table));
    const kinds = ROW_KINDS.filter(({ place }) => tables.has(place.table));
    const before = await Promise.all(kinds.map((kind) => listBroken(pool, key, kind)));
    const result = await pool.query(statement as string, values);
    for (const [i, kind] of kinds.entries()) {
      await inTransaction(openDatabase(pool), async (tx) => {
        for await (const rows of walkRows(tx, kind)) {
          const own = rows.filter(({ id }) => !before[i]?.includes(id));
          await sealRows(tx, key, kind, own);
        }
      });
    }
    return result;
  };
  return new Proxy(pool, {
    get(target, name) {
      if (name === 'query') return query;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** The ids of rows that do not match their seals. */
async function listBroken(pool: pg.Pool, key: KeyObject, kind: SealedKind): Promise<string[]> {
  const broken: string[] = [];
  for await (const rows of walkRows(openDatabase(pool), kind)) {
    broken.push(...rows.filter((row) => !isWhole(key, kind, row)).map(({ id }) => id));
  }
  return broken;
}

/** That every write of the app has left its row with a seal that matches, whatever the test was about. */
async function requireSealed(pool: pg.Pool, key: KeyObject): Promise<void> {
  const broken: string[] = [];
  for (const kind of ROW_KINDS) {
    const ids = await listBroken(pool, key, kind);
    broken.push(...ids.map((id) => `${kind.place.table} ${id}`));
  }
  if (broken.length === 0) return;
  throw new Error(`written without a seal that matches: ${broken.slice(0, 10).join(', ')}`);
}

/** That the times of every invitation are those that follow from the rules, whatever the test was about. */
async function requireSchedules(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ id: string }>('select id from quizzes');
  for (const { id } of rows) {
    const changed = await inTransaction(openDatabase(pool), (tx) =>
      storeSchedules(tx, { quizId: id }),
    );
    if (changed.length > 0) throw new Error(`times that do not follow from the rules: quiz ${id}`);
  }
}

/** Calls an endpoint of an app by its name. */
export async function call(app: App, name: EndpointName, input: CallInput = {}): Promise<Reply> {
  const { method }: Endpoint = ENDPOINTS[name];
  const response = await app.fastify.inject({
    method,
    url: pathOf(name, input),
    ...(input.body === undefined ? {} : { payload: input.body as object }),
    ...(input.address === undefined ? {} : { remoteAddress: input.address }),
    headers: {
      ...(input.as === undefined ? {} : { cookie: `${cookieName(app)}=${input.as}` }),
      ...input.headers,
    },
  });
  const isJson = response.headers['content-type']?.toString().startsWith('application/json');
  return {
    status: response.statusCode,
    body: isJson && response.body !== '' ? response.json() : undefined,
    text: response.body,
    bytes: response.rawPayload,
    headers: response.headers,
    cookie: response.cookies.find((c) => c.name === cookieName(app))?.value,
  };
}

/** The name of the session cookie as browsers store it: with https it has a prefix. */
function cookieName({ context }: App): string {
  const isHttps = context.config.publicUrl.startsWith('https:');
  return `${isHttps ? '__Host-' : ''}invigil_session`;
}
