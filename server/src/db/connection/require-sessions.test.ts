import { setUpApp } from '@invigil/testkit/factories';
import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { type Connections, requireSessions } from './require-sessions.ts';

describe('connections of our own', () => {
  const app = setUpApp();

  /** A pooler in transaction mode: each transaction gets any free connection. */
  function transactionPooler(
    free: pg.PoolClient[],
    take: 'first' | 'last',
  ): Connections & { held: number } {
    const next = () => (take === 'first' ? free.shift() : free.pop());
    const pooler = {
      held: 0,
      async connect() {
        let held: pg.PoolClient | undefined;
        return {
          async query(text: string) {
            const server = held ?? next();
            if (!server) throw new Error('no connection is free');
            const result = await server.query<{ pid?: number }>(text);
            held = text === 'begin' || (held && text !== 'rollback') ? server : undefined;
            if (!held) free.push(server);
            return result;
          },
          release() {
            if (held) pooler.held += 1;
          },
        };
      },
    };
    return pooler;
  }

  it('are provided by PostgreSQL itself', async () => {
    await requireSessions(app.pool);
    const { rows } = await app.pool.query(
      "select from pg_stat_activity where state = 'idle in transaction' and datname = current_database()",
    );
    expect(rows).toEqual([]);
  });

  it.each(['first', 'last'] as const)(
    'are not provided by a pooler in transaction mode, whichever is free %s',
    async (take) => {
      const free = await Promise.all(Array.from({ length: 5 }, () => app.pool.connect()));
      const pooler = transactionPooler([...free], take);
      await expect(requireSessions(pooler)).rejects.toThrow(/pooler in transaction mode/);
      expect(pooler.held).toBe(0);
      for (const client of free) client.release();
    },
  );
});
