import { setTimeout as delay } from 'node:timers/promises';
import { startTestDatabase, type TestDatabase } from '@invigil/testkit/app';
import { HeldWindow } from '@invigil/testkit/held-window';
import { silentLog } from '@invigil/testkit/silent-log';
import type { MigrationMeta } from 'drizzle-orm/migrator';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MIGRATIONS, migrate } from './migrate.ts';

const next = (sql: string): MigrationMeta[] => [
  ...MIGRATIONS,
  { sql: [sql], hash: 'next', folderMillis: Date.now(), bps: true },
];
const LATER = next('alter table categories add column color text');

describe('a database with the tables of this version', () => {
  let database: TestDatabase;
  const hashes = async () => {
    const { rows } = await database.pool.query('select hash from drizzle.__drizzle_migrations');
    return rows.map(({ hash }) => hash);
  };
  const columns = async () =>
    (
      await database.pool.query(
        "select column_name from information_schema.columns where table_name = 'categories'",
      )
    ).rows.map(({ column_name: name }) => name);

  beforeEach(async () => {
    database = await startTestDatabase();
  });
  afterEach(() => database.stop());

  it('with foreign migrations is refused with one line, and not changed', async () => {
    const { pool } = database;
    await pool.query("update drizzle.__drizzle_migrations set hash = 'x'");
    await expect(migrate(pool, silentLog, undefined, LATER)).rejects.toThrow(
      /^The data were made by a development version of Invigil.* unchanged\. .*DATABASE_URL\.$/,
    );
    expect([new Set(await hashes()), await columns()]).toEqual([
      new Set(['x']),
      expect.not.arrayContaining(['color']),
    ]);
  });

  it('gets the migrations that it lacks, once, and then still serves this version', async () => {
    const { pool } = database;
    await Promise.all([1, 2].map(() => migrate(pool, silentLog, undefined, LATER)));
    expect(await columns()).toContain('color');
    await migrate(pool, silentLog);
    expect(await hashes()).toEqual(LATER.map(({ hash }) => hash));
  });

  it('stays as it was when a migration fails', async () => {
    const { pool } = database;
    const failing = next('create table color (); select 1 / 0');
    await expect(migrate(pool, silentLog, undefined, failing)).rejects.toThrow(/division by zero/);
    expect(await hashes()).toHaveLength(MIGRATIONS.length);
    expect((await pool.query("select to_regclass('color') as there")).rows).toEqual([
      { there: null },
    ]);
  });

  it('is migrated during long reads of its tables, without delaying saves', {
    tags: 'long',
  }, async () => {
    const { pool } = database;
    // A backup holds such a lock table by table, and pg_dump to its end.
    const reader = await HeldWindow.open(pool, 'select from categories', []);
    const log = { warn: vi.fn() };
    const migrating = migrate(pool, log, undefined, LATER);
    try {
      const save = async () => {
        const began = performance.now();
        await pool.query(
          "insert into categories (id, name, created_at) values (gen_random_uuid(), 'C', now())",
        );
        return performance.now() - began;
      };
      const waits: number[] = [];
      while (log.warn.mock.calls.length < 2) {
        waits.push(await save());
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
    expect(await columns()).toContain('color');
  });

  it('stops waiting when the start is aborted', async () => {
    const { pool } = database;
    const reader = await HeldWindow.open(pool, 'select from categories', []);
    const end = new AbortController();
    const migrating = migrate(pool, { warn: () => end.abort() }, end.signal, LATER);
    await expect(migrating).rejects.toThrow(/aborted/);
    await reader.release();
  });
});
