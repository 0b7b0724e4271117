import type pg from 'pg';
import type { Logger } from 'pino';
import { LOCKS } from '../db/advisory-locks.ts';
import type { ServiceClock } from '../runtime/clock.ts';

const RETRY_MS = 2_000;
/** The leader shows on its connection that it lives. */
const SIGN_EVERY_MS = 2_000;
const SIGN_WITHIN_MS = 5_000;
/**
 * A leader that gave no sign for so long hangs (stopped, or cut off with its connection half open)
 * while it holds the lock: it is deposed. With the retry and the first round this leaves attempts
 * closed well within 15 s.
 */
const SILENT_MS = 8_000;
/**
 * A process whose clock is late ends no attempt. It leaves the lead to others, who ask for it more
 * often than this, and leads only where nobody took it: then mail and sealing go on at least. After a
 * jump of the database's clock it keeps the lead, or one that starts just then, and takes the wrong
 * time for the right one, would end attempts by it.
 */
const YIELD_MS = 3 * RETRY_MS;
/** After so long it offers the lead again: another may have come. */
const LEAD_LATE_MS = 60_000;

/*
 * Both times are the database's own, so its clock decides nothing but this: after a jump of it a
 * leader may be deposed for nothing, and is then followed by another.
 */
const DEPOSE_SQL = `
select count(pg_terminate_backend(l.pid))::int as deposed
from pg_locks l join pg_stat_activity a on a.pid = l.pid
where l.locktype = 'advisory' and l.granted and l.classid = 0 and l.objid = $1 and l.objsubid = 1
  and l.database = (select oid from pg_database where datname = current_database())
  and a.state_change < clock_timestamp() - $2 * interval '1 millisecond'`;

/** What a process does when it begins and ends to lead. */
export interface Leading {
  /** May be called again before what was ended has come to its end. */
  begin(): void;
  /** Resolves when nothing of it runs any more. */
  end(): Promise<void>;
}

/** The part of one process in the choice of a leader. */
export interface Candidacy {
  readonly leads: boolean;
  stop(): Promise<void>;
}

/**
 * Stands for the lead among all processes of the database: whoever holds the advisory lock, on a
 * connection of its own, leads. The database frees the lock when that process or its connection
 * goes, and the next one takes over within seconds.
 */
export function standForLead(
  pool: pg.Pool,
  { log, clock }: { log: Logger; clock: Pick<ServiceClock, 'isLate'> },
  leading: Leading,
): Candidacy {
  let stopped = false;
  let lead: pg.PoolClient | undefined;
  /** Since when it leads with a clock that is late, in ms of the monotonic clock. */
  let lateSince: number | undefined;
  /** The lead was there for others and nobody took it. */
  let hasYielded = false;
  let retry: NodeJS.Timeout | undefined;
  let signs: NodeJS.Timeout | undefined;
  let campaigning: Promise<void> = Promise.resolve();

  /** What others may take at once: it does not wait for rounds that still end. */
  const giveUp = (client: pg.PoolClient, againMs: number) => {
    lead = undefined;
    clearInterval(signs);
    void leading.end();
    client.release(true);
    campaignLater(againMs);
  };

  const lose = (client: pg.PoolClient, error: Error) => {
    if (lead !== client) return;
    log.warn(
      { reason: error.message },
      'the lead of the periodic jobs was lost with its connection',
    );
    giveUp(client, RETRY_MS);
  };

  /** Whether it should leave the lead to somebody who knows the time. */
  const shouldYield = () => {
    if (!clock.isLate()) {
      lateSince = undefined;
      hasYielded = false;
      return false;
    }
    return lateSince === undefined || performance.now() - lateSince > LEAD_LATE_MS;
  };

  const giveSigns = (client: pg.PoolClient) => {
    signs = setInterval(() => {
      if (shouldYield()) {
        log.warn('the lead of the periodic jobs is offered to others: the clock is late');
        hasYielded = true;
        return giveUp(client, YIELD_MS);
      }
      client
        .query({ text: 'select 1', query_timeout: SIGN_WITHIN_MS } as pg.QueryConfig)
        .catch((error: Error) => lose(client, error));
    }, SIGN_EVERY_MS);
    signs.unref();
  };

  const campaign = async () => {
    retry = undefined;
    if (stopped) return;
    let candidate: pg.PoolClient | undefined;
    try {
      const client = await pool.connect();
      candidate = client;
      // The lock lives as long as this connection; its loss is the loss of the lead.
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
        giveSigns(client);
        leading.begin();
        return;
      }
      // Free, and not for us: whoever knows the time comes first.
      hasYielded = got;
      if (!got) await depose(client, log);
      client.release(true);
    } catch (error) {
      log.warn({ err: error }, 'the lead of the periodic jobs could not be taken; trying again');
      // A connection that broke before it led goes back here, or the pool would run dry of them.
      if (candidate && candidate === lead) return giveUp(candidate, RETRY_MS);
      candidate?.release(true);
    }
    campaignLater(hasYielded ? YIELD_MS : RETRY_MS);
  };
  const campaignLater = (afterMs: number) => {
    if (stopped || retry) return;
    retry = setTimeout(startCampaign, afterMs);
    retry.unref();
  };

  const startCampaign = () => {
    campaigning = campaign();
  };

  startCampaign();
  return {
    get leads() {
      return lead !== undefined;
    },
    async stop() {
      stopped = true;
      clearTimeout(retry);
      // A campaign that is under way gives up by itself, and must not start jobs after the end.
      await campaigning;
      clearInterval(signs);
      const client = lead;
      lead = undefined;
      await leading.end();
      client?.release(true);
    },
  };
}

async function depose(client: pg.PoolClient, log: Logger): Promise<void> {
  const { rows } = await client.query<{ deposed: number }>(DEPOSE_SQL, [LOCKS.leader, SILENT_MS]);
  if (rows[0]?.deposed) log.warn('the leader of the periodic jobs hangs and was deposed');
}
