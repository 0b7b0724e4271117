import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testConfig } from '@invigil/testkit/app';
import { silentLog } from '@invigil/testkit/silent-log';
import { ask, cleanUp, started } from '@invigil/testkit/supervised-postgres';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectionsFor } from '../db/connection/pool.ts';
import { openInstallation } from './open-installation.ts';

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'invigil-installation-'));
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** Starts on the data folder, does something, and stops. */
async function opened(work: (pool: pg.Pool) => Promise<unknown>): Promise<void> {
  const closers: (() => unknown)[] = [];
  const shutdown = {
    signal: new AbortController().signal,
    onEnd: (_: string, close: () => unknown) => void closers.unshift(close),
    end: () => Promise.reject(new Error('not here')),
  };
  try {
    const config = { ...testConfig({ DATA_DIR: dataDir, WEB_CONCURRENCY: '64' }), port: 0 };
    const { pool } = await openInstallation(config, silentLog, shutdown, false);
    await work(pool);
  } finally {
    for (const close of closers) await close();
  }
}

it('the embedded database allows connections for every process', () =>
  opened(async (pool) => {
    const { rows } = await pool.query('show max_connections');
    expect(rows).toEqual([{ max_connections: String(connectionsFor(64)) }]);
  }));

it('a data folder of a development version is refused with one sentence, and left untouched', async () => {
  await opened((pool) =>
    pool.query(`update drizzle.__drizzle_migrations set hash = 'of development';
      alter table sign_in_policy rename to earlier_policy; delete from key_check`),
  );
  // A start would make another one.
  rmSync(join(dataDir, 'secret-key'));
  const files = readdirSync(dataDir);
  await expect(opened(() => Promise.resolve())).rejects.toThrow(
    /^The data were made by a development version of Invigil, from before 1\.0\.0, and cannot be upgraded\./,
  );
  expect(readdirSync(dataDir)).toEqual(files);
  const { connection } = await started(dataDir);
  expect(
    await ask(
      connection,
      `select concat(string_agg(distinct hash, ','), (select count(*) from key_check),
         to_regclass('sign_in_policy')) from drizzle.__drizzle_migrations`,
    ),
  ).toBe('of development0');
  await cleanUp();
});
