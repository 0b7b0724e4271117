import { CLOCK_LIMITS } from '@invigil/core/domain/limits';
import type pg from 'pg';
import type { AppContext } from '../app-context.ts';
import { deleteOldSessions } from '../db/queries/session-changes.ts';
import { deleteOldFailures } from '../db/queries/throttle.ts';
import { removeLeftovers } from '../db/upkeep/erased-leftovers.ts';
import { mailAuditHead } from '../features/audit-log/mail-head.ts';
import { sealAudit } from '../features/audit-log/seal-audit.ts';
import { forgetLooks } from '../features/review/live/look-queries.ts';
import { deleteExpired } from '../features/review/retention/delete-expired.ts';
import { sealEarlierRows } from '../integrity/seal-installation.ts';
import type { JobName } from '../metrics/metrics.ts';
import { everyStep } from '../runtime/every-step.ts';
import { closeDueParticipants } from './close-due-participants.ts';
import { deliverMail } from './deliver-mail.ts';
import { flagSilentMonitors } from './flag-silent-monitors.ts';
import { standForLead } from './leadership.ts';
import { PeriodicJob, type Round } from './periodic-job.ts';

const CLOSE_EVERY_MS = 1_000;
const MAIL_EVERY_MS = 2_000;
const SEAL_EVERY_MS = 1_000;
const MONITOR_EVERY_MS = 3_000;
const LEFTOVERS_EVERY_MS = 60_000;
/** After an upgrade; later there is nothing to do. */
const EARLIER_EVERY_MS = 10_000;
const TIDY_EVERY_MS = 3_600_000;

/** The periodic jobs of a process. */
export interface RunningJobs {
  /** Whether the jobs of all processes run in this one. */
  readonly leads: boolean;
  wakeMail(): void;
  stop(): Promise<void>;
}

/**
 * Runs the periodic jobs in one process of all that share the database, the leader. Only one of them
 * runs everywhere: as long as any process is up, the service is.
 */
export function runJobs(ctx: AppContext, pool: pg.Pool): RunningJobs {
  const { log } = ctx;
  const now = () => ctx.clock.now();
  const job = (name: JobName, everyMs: number, task: Round) =>
    new PeriodicJob(name, everyMs, task, log, () => ctx.metrics.countJobFailure(name));
  let areAllSealed = false;
  const mail = job('deliver-mail', MAIL_EVERY_MS, (signal) => deliverMail(ctx, signal));
  const jobs = [
    mail,
    job('close-due-participants', CLOSE_EVERY_MS, () => close(ctx)),
    job('seal-audit', SEAL_EVERY_MS, () => sealAudit(ctx)),
    job('flag-silent-monitors', MONITOR_EVERY_MS, () => flagSilentMonitors(ctx, now())),
    job('remove-leftovers', LEFTOVERS_EVERY_MS, (signal) =>
      removeLeftovers(pool, log, now(), signal),
    ),
    job('seal-earlier-rows', EARLIER_EVERY_MS, async (signal) => {
      if (!areAllSealed) areAllSealed = await sealEarlierRows(ctx, signal);
    }),
    job('tidy', TIDY_EVERY_MS, () => tidy(ctx)),
  ];
  const alive = job('note-alive', CLOCK_LIMITS.livenessEveryMs, () => ctx.liveness.note(now()));
  const candidacy = standForLead(pool, ctx, {
    begin() {
      for (const job of jobs) job.start();
    },
    async end() {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  });
  alive.start();
  return {
    get leads() {
      return candidacy.leads;
    },
    wakeMail: () => mail.wake(),
    async stop() {
      await alive.stop();
      await candidacy.stop();
    },
  };
}

/** In this order: an outage is seen before anything is closed because of it. */
async function close(ctx: AppContext): Promise<void> {
  await ctx.liveness.note(ctx.clock.now());
  await closeDueParticipants(ctx);
}

/** Throws what the first of its steps threw, after all of them. */
async function tidy(ctx: AppContext): Promise<void> {
  const now = ctx.clock.now();
  await everyStep(ctx.log, {
    sessions: () => deleteOldSessions(ctx.db, now),
    'head of the audit log': () => mailAuditHead(ctx, now),
    'wrong sign-ins': () => deleteOldFailures(ctx.db, now),
    looks: () => forgetLooks(ctx.db),
    retention: () => deleteExpired(ctx, now),
  });
}
