import type pg from 'pg';
import type { Logger } from 'pino';
import { NEWS_CHANNEL } from './queries.ts';

const RECONNECT_MS = 1_000;

/**
 * Brings news of attempts from the database to the streams of this process. One connection listens
 * for all of them, from the first stream on; when it was lost, every stream looks again afterwards,
 * since a notification may have been missed.
 */
export class AttemptNewsHub {
  readonly #pool: pg.Pool;
  readonly #log: Logger;
  readonly #listeners = new Map<string, Set<() => void>>();
  #connection: pg.PoolClient | undefined;
  #connecting: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #hasListened = false;
  #stopped = false;

  constructor(pool: pg.Pool, log: Logger) {
    this.#pool = pool;
    this.#log = log;
  }

  /** Calls `look` after each change of the attempt, until the returned function is called. */
  async subscribe(participantId: string, look: () => void): Promise<() => void> {
    const own = this.#listeners.get(participantId) ?? new Set();
    own.add(look);
    this.#listeners.set(participantId, own);
    await this.#connect();
    return () => {
      own.delete(look);
      if (own.size === 0) this.#listeners.delete(participantId);
    };
  }

  /** News that this process alone knows of: nothing was written, so nothing is notified. */
  wake(participantId: string): void {
    this.#wake([participantId]);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#retry);
    await this.#connecting;
    this.#connection?.release(true);
    this.#connection = undefined;
  }

  #connect(): Promise<void> {
    if (this.#stopped || this.#connection) return Promise.resolve();
    this.#connecting ??= this.#listen().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #listen(): Promise<void> {
    let client: pg.PoolClient | undefined;
    try {
      client = await this.#pool.connect();
      const listening = client;
      listening.on('notification', ({ payload }) => this.#wake((payload ?? '').split(',')));
      listening.on('error', () => {
        if (this.#connection !== listening) return;
        this.#connection = undefined;
        listening.release(true);
        this.#connectLater();
      });
      await listening.query(`listen ${NEWS_CHANNEL}`);
      this.#connection = listening;
      // What happened while nobody listened. The first time, each stream looks by itself.
      if (this.#hasListened) this.#wake(this.#listeners.keys());
      this.#hasListened = true;
    } catch (error) {
      this.#log.warn({ err: error }, 'news of attempts cannot be listened for; trying again');
      client?.release(true);
      this.#connectLater();
    }
  }

  #connectLater(): void {
    if (this.#stopped) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#connect(), RECONNECT_MS);
    this.#retry.unref();
  }

  #wake(ids: Iterable<string>): void {
    for (const id of [...ids]) for (const look of this.#listeners.get(id) ?? []) look();
  }
}
