import type pg from 'pg';
import type { Logger } from 'pino';
import { LOCKS } from '../db/advisory-locks.ts';
import type { ServiceClock } from '../runtime/clock.ts';

const RETRY_MS = 2_000;
/** The leader's heartbeat on its connection. */
const HEARTBEAT_EVERY_MS = 2_000;
const HEARTBEAT_WITHIN_MS = 5_000;
/**
 * A leader without a heartbeat for this long hangs (stopped, or cut off behind a half-open
 * connection) while it holds the lock, so it is deposed. Together with the retry and the first run,
 * attempts are still closed well within 15 s.
 */
const SILENT_MS = 8_000;
/**
 * A process whose clock is late ends no attempt. It yields leadership to the others, which try more
 * often than this, and leads only if none of them takes it: then at least mail and sealing
 * continue. After a jump of the database's clock it stays leader; a process that started just then
 * would take the wrong time for the right one and end attempts by it.
 */
const YIELD_MS = 3 * RETRY_MS;
/** It offers leadership again after this: another process may have started. */
const LEAD_LATE_MS = 60_000;

/*
 * Compares two times of the database's clock. After a jump of that clock a healthy leader may be
 * deposed; another process then takes over.
 */
const DEPOSE_SQL = `
select count(pg_terminate_backend(l.pid))::int as deposed
from pg_locks l join pg_stat_activity a on a.pid = l.pid
where l.locktype = 'advisory' and l.granted and l.classid = 0 and l.objid = $1 and l.objsubid = 1
  and l.database = (select oid from pg_database where datname = current_database())
  and a.state_change < clock_timestamp() - $2 * interval '1 millisecond'`;

export interface Leading {
  /** May be called again before `end` has resolved. */
  begin(): void;
  /** Resolves when everything has stopped. */
  end(): Promise<void>;
}

/** The part of one process in the election of a leader. */
export interface LeaderElection {
  readonly leads: boolean;
  stop(): Promise<void>;
}

/**
 * Takes part in the election of a leader among all processes of the database: the one that holds an
 * advisory lock, on its own connection, leads. The database releases the lock when that process or
 * its connection ends, and another takes over within seconds.
 */
export function joinElection(
  pool: pg.Pool,
  { log, clock }: { log: Logger; clock: Pick<ServiceClock, 'isLate'> },
  leading: Leading,
): LeaderElection {
  let stopped = false;
  /** The connection that holds the lock, while this process leads. */
  let lead: pg.PoolClient | undefined;
  /** Since when it leads with a late clock, in ms of the monotonic clock. */
  let lateSince: number | undefined;
  /** It has offered leadership to the others. */
  let hasYielded = false;
  let retry: NodeJS.Timeout | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let trying: Promise<void> = Promise.resolve();

  /** Releases the lock at once, without waiting for jobs that are still ending. */
  const resign = (client: pg.PoolClient, retryMs: number) => {
    lead = undefined;
    clearInterval(heartbeat);
    void leading.end();
    client.release(true);
    retryLater(retryMs);
  };

  const lose = (client: pg.PoolClient, error: Error) => {
    if (lead !== client) return;
    log.warn(
      { reason: error.message },
      'leadership of the periodic jobs was lost with its connection',
    );
    resign(client, RETRY_MS);
  };

  /** Whether it should yield to a process that knows the time. */
  const shouldYield = () => {
    if (!clock.isLate()) {
      lateSince = undefined;
      hasYielded = false;
      return false;
    }
    return lateSince === undefined || performance.now() - lateSince > LEAD_LATE_MS;
  };

  const startHeartbeat = (client: pg.PoolClient) => {
    heartbeat = setInterval(() => {
      if (shouldYield()) {
        log.warn(
          'leadership of the periodic jobs is offered to other processes: the clock is late',
        );
        hasYielded = true;
        return resign(client, YIELD_MS);
      }
      client
        .query({ text: 'select 1', query_timeout: HEARTBEAT_WITHIN_MS } as pg.QueryConfig)
        .catch((error: Error) => lose(client, error));
    }, HEARTBEAT_EVERY_MS);
    heartbeat.unref();
  };

  const tryToLead = async () => {
    retry = undefined;
    if (stopped) return;
    let candidate: pg.PoolClient | undefined;
    try {
      const client = await pool.connect();
      candidate = client;
      // The lock lives as long as this connection; losing one loses the other.
      client.on('error', (error) => lose(client, error));
      const { rows } = await client.query<{ got: boolean }>(
        'select pg_try_advisory_lock($1) as got',
        [LOCKS.leader],
      );
      const got = rows[0]?.got === true;
      const late = clock.isLate();
      if (got && !stopped && (!late || hasYielded)) {
        lead = client;
        lateSince = late ? performance.now() : undefined;
        startHeartbeat(client);
        leading.begin();
        return;
      }
      // The lock was free, but a process that knows the time comes first.
      hasYielded = got;
      if (!got) await depose(client, log);
      client.release(true);
    } catch (error) {
      log.warn(
        { err: error },
        'leadership of the periodic jobs could not be acquired; trying again',
      );
      // A connection that broke before it led is returned here, or the pool would run out.
      if (candidate && candidate === lead) return resign(candidate, RETRY_MS);
      candidate?.release(true);
    }
    retryLater(hasYielded ? YIELD_MS : RETRY_MS);
  };
  const retryLater = (afterMs: number) => {
    if (stopped || retry) return;
    retry = setTimeout(start, afterMs);
    retry.unref();
  };

  const start = () => {
    trying = tryToLead();
  };

  start();
  return {
    get leads() {
      return lead !== undefined;
    },
    async stop() {
      stopped = true;
      clearTimeout(retry);
      // An attempt in progress sees `stopped` and gives up; it must not start jobs after this.
      await trying;
      clearInterval(heartbeat);
      const client = lead;
      lead = undefined;
      await leading.end();
      client?.release(true);
    },
  };
}

async function depose(client: pg.PoolClient, log: Logger): Promise<void> {
  const { rows } = await client.query<{ deposed: number }>(DEPOSE_SQL, [LOCKS.leader, SILENT_MS]);
  if (rows[0]?.deposed) log.warn('the leader of the periodic jobs was hanging and was deposed');
}
