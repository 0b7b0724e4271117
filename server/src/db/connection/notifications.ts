import type pg from 'pg';
import type { Logger } from 'pino';

const RECONNECT_MS = 1_000;
/** A connection that was cut silently is detected by a query. */
const ASK_EVERY_MS = 5_000;
const ANSWER_WITHIN_MS = 5_000;

/**
 * Messages between the processes of one database: one connection listens for all of this process, from
 * first use. After it was lost, `onGap` is called, since messages may have been missed.
 */
export class Notifications {
  readonly #pool: pg.Pool;
  readonly #log: Logger;
  readonly #receivers = new Map<string, (payload: string) => void>();
  readonly #gapReceivers: (() => void)[] = [];
  #connection: pg.PoolClient | undefined;
  #connecting: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #asking: NodeJS.Timeout | undefined;
  #hasListened = false;
  #stopped = false;

  constructor(pool: pg.Pool, log: Logger) {
    this.#pool = pool;
    this.#log = log;
  }

  /** Subscribes to a channel; call it before the first `listen`. */
  on(channel: string, receive: (payload: string) => void, onGap?: () => void): void {
    this.#receivers.set(channel, receive);
    if (onGap) this.#gapReceivers.push(onGap);
  }

  /** Resolves when the channels are listened to, or when that has failed and will be retried. */
  listen(): Promise<void> {
    if (this.#stopped || this.#connection) return Promise.resolve();
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** Sends to every process, this one too. Each payload below 8000 bytes; order is preserved. */
  async tell(channel: string, payloads: readonly string[]): Promise<void> {
    await this.#pool.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [
      channel,
      payloads,
    ]);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#retry);
    clearInterval(this.#asking);
    await this.#connecting;
    this.#connection?.release(true);
    this.#connection = undefined;
  }

  async #connect(): Promise<void> {
    let client: pg.PoolClient | undefined;
    try {
      client = await this.#pool.connect();
      const listening = client;
      listening.on('notification', ({ channel, payload }) => {
        this.#receivers.get(channel)?.(payload ?? '');
      });
      listening.on('error', () => this.#lose(listening));
      for (const channel of this.#receivers.keys()) await listening.query(`listen ${channel}`);
      this.#connection = listening;
      this.#ask(listening);
      // The first time, subscribers have just read the state themselves.
      if (this.#hasListened) for (const receive of this.#gapReceivers) receive();
      this.#hasListened = true;
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot receive messages of other processes; retrying');
      client?.release(true);
      this.#connectLater();
    }
  }

  #ask(connection: pg.PoolClient): void {
    clearInterval(this.#asking);
    this.#asking = setInterval(() => {
      const question = { text: 'select 1', query_timeout: ANSWER_WITHIN_MS } as pg.QueryConfig;
      connection.query(question).catch(() => this.#lose(connection));
    }, ASK_EVERY_MS);
    this.#asking.unref();
  }

  #lose(connection: pg.PoolClient): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    clearInterval(this.#asking);
    connection.release(true);
    this.#connectLater();
  }

  #connectLater(): void {
    if (this.#stopped) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.listen(), RECONNECT_MS);
    this.#retry.unref();
  }
}
