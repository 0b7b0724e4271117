import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startServer } from '../../server/src/testing/running-server.ts';
import { callEndpoint } from '../answer-path/call-endpoint.ts';
import { findChild } from '../answer-path/processor-time.ts';
import { ADMIN } from '../answer-path/start-candidates.ts';
import { type Disk, describeDisk } from '../machine.ts';
import { openPostgres, postmasterFile } from '../running-postgres.ts';
import { loadAttempts, loadFixedRows, requireValid } from './load-rows.ts';
import type { Portal } from './measure.ts';

const DATA = fileURLToPath(new URL('../data/', import.meta.url));
const SAMPLE = 5_000;
const SEALED_WITHIN_MS = 300_000;

/** A server started as by `npm start`, and a way to fill its database. */
export interface LoadedServer extends AsyncDisposable {
  portal: Portal;
  version: string;
  disk: Disk;
  /** Loads a range of attempts and waits until the server's jobs have processed them. */
  load(range: { from: number; to: number; all: number }): Promise<number>;
  requireValid(): Promise<void>;
  count(table: string): Promise<number>;
  /** Ids spread over the rows of a table. */
  ids(table: string, where: string): Promise<string[]>;
}

export async function loadedServer(): Promise<LoadedServer> {
  mkdirSync(DATA, { recursive: true });
  const dataDir = mkdtempSync(join(DATA, 'admin-scale-'));
  await using undo = new AsyncDisposableStack();
  undo.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const disk = describeDisk(dataDir);
  const server = await startServer({
    dataDir,
    env: { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
    nodeArgs: (process.env.BENCH_SERVER_NODE_ARGS ?? '').split(' ').filter(Boolean),
  });
  undo.defer(async () => void (await server.stop()));
  const { postgres, end } = await openPostgres(dataDir);
  undo.defer(end);
  await loadFixedRows(postgres);
  const { cookie } = await callEndpoint(server.url, 'login', { body: ADMIN });
  if (cookie === undefined) throw new Error('the sign-in set no cookie');
  const processes =
    process.platform === 'linux'
      ? { app: findChild('start.mjs'), postmaster: postmasterFile(dataDir).pid }
      : { app: 0, postmaster: 0 };
  const kept = undo.move();
  return {
    portal: { url: server.url, cookie, processes },
    version: postgres.version,
    disk,
    async load(range) {
      const seconds = await loadAttempts(postgres, range);
      const until = performance.now() + SEALED_WITHIN_MS;
      while (
        (await postgres.count('select count(*) n from audit_entries where number is null')) > 0
      ) {
        if (performance.now() > until) throw new Error('the audit log was not sealed in time');
        await delay(500);
      }
      await postgres.query('vacuum (analyze) audit_entries');
      return seconds;
    },
    requireValid: () => requireValid(postgres),
    count: (table) => postgres.count(`select count(*) n from ${table}`),
    ids: (table, where) =>
      postgres.texts(
        `select id::text as text from ${table} where ${where} order by md5(id::text) limit ${SAMPLE}`,
      ),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
