import pg from 'pg';
import { serversOf } from '../../runtime/config.ts';

/** The server that this process connects to, by DATABASE_URL; the next one after a failure. */
const inUse = new Map<string, number>();

/**
 * Settings of a connection that runs only a few statements, each with one sensible plan, which PostgreSQL
 * then caches. By default it plans every batch again, because it assumes that a list parameter has ten
 * entries, and planning costs twice as much as the batch.
 */
const PLAN_ONCE = 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off';

export interface DatabaseClientConfig extends pg.ClientConfig {
  /** Makes the connection cache its plans; meant for frequent statements. */
  plansOnce?: boolean;
}

/**
 * A connection to the server of a DATABASE_URL that accepts writes. With several servers it goes to the
 * one of the last connection; when that one is away or a standby, connecting fails, and the next
 * connection tries the next server. So retrying finds a promoted standby.
 */
export class DatabaseClient extends pg.Client {
  readonly #url: string | undefined;
  readonly #at: number;
  readonly #plansOnce: boolean;

  constructor(settings: DatabaseClientConfig = {}) {
    const { connectionString: url = '' } = settings;
    const servers = serversOf(url);
    const isOne = servers.length === 1;
    const at = isOne ? 0 : (inUse.get(url) ?? 0);
    super(isOne ? settings : { ...settings, connectionString: servers[at % servers.length] ?? '' });
    this.#url = isOne ? undefined : url;
    this.#at = at;
    this.#plansOnce = settings.plansOnce ?? false;
    // A pool listens only once it has the connection; an error before that would end the process.
    this.on('error', ignore);
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (err: Error | null, client: pg.Client) => void): void;
  override connect(callback?: (err: Error | null, client: pg.Client) => void) {
    const connecting = this.#connect();
    if (callback === undefined) return connecting;
    connecting.then(
      () => callback(null, this),
      (error: Error) => callback(error, this),
    );
  }

  async #connect(): Promise<pg.Client> {
    try {
      await super.connect();
      await this.#prepare();
      return this;
    } catch (error) {
      // Unless another connection has already switched.
      if (this.#url !== undefined && (inUse.get(this.#url) ?? 0) === this.#at) {
        inUse.set(this.#url, this.#at + 1);
      }
      throw error;
    }
  }

  async #prepare(): Promise<void> {
    try {
      if (this.#url !== undefined) await this.#requirePrimary();
      if (this.#plansOnce) await this.query(PLAN_ONCE);
    } catch (error) {
      // No one else has it yet. Not awaited: a server that hangs does not close in order.
      this.end().catch(ignore);
      throw error;
    }
  }

  async #requirePrimary(): Promise<void> {
    const { rows } = await this.query<{ standby: boolean }>(
      'select pg_is_in_recovery() as standby',
    );
    if (rows[0]?.standby !== false) throw new StandbyServer();
  }
}

function ignore(): void {
  // The pending connect or query rejects with the error.
}

class StandbyServer extends Error {
  /** PostgreSQL's code on a write there: read_only_sql_transaction. */
  readonly code = '25006';

  constructor() {
    super('this server of the database is a standby');
  }
}

/** The server of a DATABASE_URL that accepts writes now, for a command; the first if none does. */
export async function findPrimary(url: string): Promise<string> {
  const servers = serversOf(url);
  for (const _ of servers.length > 1 ? servers : []) {
    const client = new DatabaseClient({ connectionString: url, connectionTimeoutMillis: 5_000 });
    try {
      await client.connect();
      await client.end();
      return servers[(inUse.get(url) ?? 0) % servers.length] ?? url;
    } catch {
      // Tries the next one; the caller reports failures of the first.
    }
  }
  return servers[0] ?? url;
}
