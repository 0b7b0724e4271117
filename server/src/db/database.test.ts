import { startTestApp, type TestApp } from '@invigil/testkit/app';
import { silentLog } from '@invigil/testkit/silent-log';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openPool } from './connection/pool.ts';
import { type Database, inSnapshot, insideOf, openDatabase } from './database.ts';
import { inTransaction } from './transaction.ts';

describe('a transaction', () => {
  let app: TestApp;
  let pool: pg.Pool;
  let db: Database;
  beforeAll(async () => {
    app = await startTestApp();
    const { rows } = await app.pool.query('select current_database() as database');
    // With its own connections: what a test does to them affects no other.
    pool = openPool({ ...inject('postgres'), database: rows[0].database }, silentLog);
    db = openDatabase(pool);
  });
  afterAll(async () => {
    await pool.end();
    await app.stop();
  });

  it('releases its connection even when its begin fails', async () => {
    const breaking = new Set<unknown>();
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...args: unknown[]) => unknown;
      client.query = ((...args: unknown[]) =>
        breaking.has(client)
          ? Promise.reject(new Error('Connection terminated unexpectedly'))
          : query(...args)) as never;
      if (breaking.size > 0) breaking.add(client);
    });
    // The pool has ten.
    breaking.add('those that come now');
    for (let i = 0; i < 12; i += 1) {
      await inTransaction(db, async (tx) => void (await tx.execute(sql`select 1`))).catch(
        () => undefined,
      );
    }
    breaking.clear();
    const found = await inSnapshot(db, (tx) => tx.execute<{ n: number }>(sql`select 1 as n`));
    expect(found.rows).toEqual([{ n: 1 }]);
    expect(pool.totalCount - pool.idleCount).toBe(0);
  });

  it('within another is part of it, rolled back alone and with it', async () => {
    await db.execute(sql`create table parts (n int)`);
    const add = (inner: Database, n: number, fails = false) =>
      inTransaction(inner, async (tx) => {
        await tx.execute(sql`insert into parts values (${n})`);
        if (fails) throw new Error('no');
      });
    await inTransaction(db, async (tx) => {
      const inside = insideOf(tx);
      await add(inside, 1);
      await expect(add(inside, 2, true)).rejects.toThrow('no');
      await add(inside, 3);
    });
    await inTransaction(db, async (tx) => {
      await add(insideOf(tx), 4);
      throw new Error('all of it');
    }).catch(() => undefined);
    const { rows } = await db.execute(sql`select n from parts order by n`);
    expect(rows).toEqual([{ n: 1 }, { n: 3 }]);
  });

  it('runs after-commit tasks after the commit, and not after a rollback', async () => {
    const ran: string[] = [];
    await inTransaction(db, async (_, afterCommit) => {
      afterCommit(() => ran.push('committed'));
    });
    const failing = inTransaction(db, async (_, afterCommit) => {
      afterCommit(() => ran.push('never'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(ran).toEqual(['committed']);
  });
});
