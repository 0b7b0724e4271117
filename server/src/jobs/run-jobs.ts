import type pg from 'pg';
import type { AppContext } from '../app-context.ts';
import { sealAudit } from '../features/audit/seal-audit.ts';
import { deleteOldSessions } from '../features/auth/session-queries.ts';
import { deleteOldFailures } from '../features/auth/throttle-queries.ts';
import { deleteExpired } from '../features/retention/delete-expired.ts';
import { closeDueParticipants } from './close-due-participants.ts';
import { deliverMail } from './deliver-mail.ts';
import { flagSilentMonitors } from './flag-silent-monitors.ts';
import { noteAliveAndRecover } from './liveness.ts';
import { PeriodicJob } from './periodic-job.ts';

/** The advisory lock of the one process that runs the periodic jobs. */
const LEADER_LOCK = 7_302_119;

const CLOSE_EVERY_MS = 1_000;
const MAIL_EVERY_MS = 2_000;
const SEAL_EVERY_MS = 1_000;
const MONITOR_EVERY_MS = 3_000;
const TIDY_EVERY_MS = 3_600_000;
const LEADER_RETRY_MS = 2_000;

/** The periodic jobs of a process. */
export interface RunningJobs {
  wakeMail(): void;
  stop(): Promise<void>;
}

/**
 * Runs the periodic jobs in one process of all that share the database: whoever holds the advisory
 * lock. The database frees the lock when that process or its connection goes, and the next one takes
 * over within seconds.
 */
export function runJobs(ctx: AppContext, pool: pg.Pool): RunningJobs {
  const jobs = [
    new PeriodicJob('close-due-participants', CLOSE_EVERY_MS, () => close(ctx), ctx.log),
    new PeriodicJob('seal-audit', SEAL_EVERY_MS, () => sealAudit(ctx), ctx.log),
    new PeriodicJob(
      'flag-silent-monitors',
      MONITOR_EVERY_MS,
      () => flagSilentMonitors(ctx, ctx.clock.now()),
      ctx.log,
    ),
    new PeriodicJob('tidy', TIDY_EVERY_MS, () => tidy(ctx), ctx.log),
  ];
  const mail = new PeriodicJob('deliver-mail', MAIL_EVERY_MS, () => deliverMail(ctx), ctx.log);
  let stopped = false;
  let lead: pg.PoolClient | undefined;
  let retry: NodeJS.Timeout | undefined;
  let campaigning: Promise<void> = Promise.resolve();

  const standDown = async () => {
    const client = lead;
    lead = undefined;
    await Promise.all([...jobs, mail].map((job) => job.stop()));
    client?.release(true);
  };

  const campaign = async () => {
    retry = undefined;
    if (stopped) return;
    let candidate: pg.PoolClient | undefined;
    try {
      const client = await pool.connect();
      candidate = client;
      // The lock lives as long as this connection; its loss is the loss of the lead.
      client.on('error', () => {
        if (lead !== client) return;
        ctx.log.warn('the lead of the periodic jobs was lost with its connection');
        void standDown().then(campaignLater);
      });
      const { rows } = await client.query<{ got: boolean }>(
        'select pg_try_advisory_lock($1) as got',
        [LEADER_LOCK],
      );
      if (rows[0]?.got && !stopped) {
        lead = client;
        for (const job of [...jobs, mail]) job.start();
        return;
      }
      client.release(true);
    } catch (error) {
      ctx.log.warn(
        { err: error },
        'the lead of the periodic jobs could not be taken; trying again',
      );
      // A connection that broke before it led goes back here, or the pool would run dry of them.
      if (candidate !== lead) candidate?.release(true);
      await standDown();
    }
    campaignLater();
  };
  const campaignLater = () => {
    if (stopped || retry) return;
    retry = setTimeout(startCampaign, LEADER_RETRY_MS);
    retry.unref();
  };

  const startCampaign = () => {
    campaigning = campaign();
  };

  startCampaign();
  return {
    wakeMail: () => mail.wake(),
    async stop() {
      stopped = true;
      clearTimeout(retry);
      // A campaign that is under way gives up by itself, and must not start jobs after the end.
      await campaigning;
      await standDown();
    },
  };
}

/** In this order: an outage is seen before anything is closed because of it. */
async function close(ctx: AppContext): Promise<void> {
  await noteAliveAndRecover(ctx, ctx.clock.now());
  await closeDueParticipants(ctx);
}

async function tidy(ctx: AppContext): Promise<void> {
  await deleteOldSessions(ctx.db, ctx.clock.now());
  await deleteOldFailures(ctx.db, ctx.clock.now());
  await deleteExpired(ctx, ctx.clock.now());
}
