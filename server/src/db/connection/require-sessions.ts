import { StartProblem } from '../../runtime/app-error.ts';

/** The part of a connection pool that is used here; `pg.Pool` has it. */
export interface Connections {
  connect(): Promise<Connection>;
}

interface Connection {
  query(text: string): Promise<{ rows: { pid?: number }[] }>;
  release(destroy: boolean): void;
}

const ROUNDS = 3;

/**
 * Leading the periodic jobs depends on a session lock, and messages between processes on `listen` in a
 * session. Behind a pooler in transaction mode both are lost silently: several processes would lead. So
 * one connection is asked twice which backend serves it, while others hold transactions.
 *
 * @throws StartProblem
 */
export async function requireSessions(pool: Connections): Promise<void> {
  const asked = await pool.connect();
  const holding: Connection[] = [];
  const servedBy = async () => (await asked.query('select pg_backend_pid() as pid')).rows[0]?.pid;
  try {
    const first = await servedBy();
    for (let round = 0; round < ROUNDS; round += 1) {
      const other = await pool.connect();
      holding.push(other);
      // Whichever backend served us last would serve this one; it is held from now on.
      await other.query('begin');
      await other.query('select 1');
      if ((await servedBy()) !== first) {
        throw new StartProblem(
          'DATABASE_URL leads to a pooler in transaction mode. Invigil needs connections of its own: session mode, or PostgreSQL directly.',
        );
      }
    }
  } finally {
    for (const other of holding) {
      await other.query('rollback').catch(() => undefined);
      other.release(true);
    }
    asked.release(true);
  }
}
