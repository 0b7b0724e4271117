import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

/**
 * A lock of another connection on which statements under test block: it holds a race window open until
 * `release`.
 */
export class HeldWindow {
  readonly #client: pg.PoolClient;
  readonly #pid: number;
  #released = false;

  private constructor(client: pg.PoolClient, pid: number) {
    this.#client = client;
    this.#pid = pid;
  }

  /** Opens a transaction that runs this statement and stays open. */
  static async open(pool: pg.Pool, sql: string, values: unknown[]): Promise<HeldWindow> {
    const client = await pool.connect();
    await client.query('begin');
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await client.query(sql, values);
    return new HeldWindow(client, rows[0]?.pid ?? 0);
  }

  /** Opens one that has written an answer, without an option if none is given: a save of it waits. */
  static atAnswer(
    pool: pg.Pool,
    answer: { participantId: string; questionId: string | undefined; optionId?: number; at: Date },
  ): Promise<HeldWindow> {
    const { participantId, questionId, optionId = null, at } = answer;
    return HeldWindow.open(
      pool,
      `insert into answers
         (participant_id, question_id, id, option_id, is_flagged, revision, created_at, saved_at)
       values ($1, $2, gen_random_uuid(), $3, false, 1, $4, $4)`,
      [participantId, questionId, optionId, at],
    );
  }

  /** Waits until so many statements are blocked, by this one or by each other. */
  async untilStuck(pool: pg.Pool, many: number): Promise<void> {
    const until = performance.now() + 10_000;
    for (;;) {
      const { rows } = await pool.query<{ stuck: number }>({
        name: 'stuck-behind',
        text: `with recursive stuck as (
            select pid from pg_stat_activity where $1 = any (pg_blocking_pids(pid))
            union
            select a.pid from pg_stat_activity a join stuck s on s.pid = any (pg_blocking_pids(a.pid))
          ) select count(*)::int as stuck from stuck`,
        values: [this.#pid],
      });
      if ((rows[0]?.stuck ?? 0) >= many) return;
      if (performance.now() > until) throw new Error(`not ${many} statements blocked in time`);
      await delay(1);
    }
  }

  /** Rolls the statement back. A second call does nothing. */
  release(): Promise<void> {
    return this.#end('rollback');
  }

  /** Commits the statement, as another process that was faster. */
  commit(): Promise<void> {
    return this.#end('commit');
  }

  async #end(how: 'rollback' | 'commit'): Promise<void> {
    if (this.#released) return;
    this.#released = true;
    await this.#client.query(how);
    this.#client.release();
  }
}
