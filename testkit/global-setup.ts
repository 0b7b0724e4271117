import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import type { Connection } from '../server/src/db/embedded-postgres/roles.ts';
import { startEmbeddedPostgres } from '../server/src/db/embedded-postgres/supervisor.ts';
import { migrate } from '../server/src/db/upkeep/migrate.ts';
import { silentLog } from './silent-log.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: Connection;
    template: string;
  }
}

const TEMPLATE = 'invigil_template';

/**
 * One PostgreSQL for all feature tests, with one migrated database that each test file clones: a clone
 * takes some 30 ms, migrating ten times that. Its commits are not flushed to disk; tests of kills start a
 * server of their own.
 */
export default async function setup(project: TestProject) {
  const dataDir = mkdtempSync(join(tmpdir(), 'invigil-tests-'));
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: silentLog,
    settings: {
      ...{ fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' },
      // It would visit the database of every test file again and again.
      autovacuum: 'off',
    },
  });
  const admin = new pg.Client(postgres.connection);
  await admin.connect();
  await admin.query(`create database ${TEMPLATE}`);
  await admin.end();
  const pool = new pg.Pool({ ...postgres.connection, database: TEMPLATE, max: 1 });
  await migrate(pool, silentLog);
  await pool.end();
  project.provide('postgres', postgres.connection);
  project.provide('template', TEMPLATE);
  return async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
