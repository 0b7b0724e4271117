import pg from 'pg';
import { inject } from 'vitest';
import { openPool } from '../db/connection/pool.ts';
import { newId } from '../db/new-id.ts';
import { silentLog } from './silent-log.ts';

/** A database of a test's own. */
export interface TestDatabase {
  /** The connections of the app under test. */
  pool: pg.Pool;
  /** For a process or thread that opens its own. */
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
