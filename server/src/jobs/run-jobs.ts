import { CLOCK_LIMITS } from '@invigil/core/domain/limits';
import type pg from 'pg';
import type { AppContext, FileContext, ProcessContext } from '../app-context.ts';
import { deleteOldSessions } from '../db/queries/session-changes.ts';
import { deleteOldFailures } from '../db/queries/throttle.ts';
import { removeLeftovers } from '../db/upkeep/erased-leftovers.ts';
import { mailAuditHead } from '../features/audit-log/mail-head.ts';
import { deletePolls } from '../features/review/live/poll-queries.ts';
import { deleteExpired } from '../features/review/retention/delete-expired.ts';
import type { JobName } from '../metrics/metrics.ts';
import { everyStep } from '../runtime/within.ts';
import { sealAudit } from '../trust/seal-audit.ts';
import { closeDueParticipants } from './close-due-participants.ts';
import { deliverMail } from './deliver-mail.ts';
import { flagSilentMonitors } from './flag-silent-monitors.ts';
import { joinElection } from './leader-election.ts';
import { PeriodicJob, type Task } from './periodic-job.ts';

const CLOSE_EVERY_MS = 1_000;
const MAIL_EVERY_MS = 2_000;
const SEAL_EVERY_MS = 1_000;
const MONITOR_EVERY_MS = 3_000;
const LEFTOVERS_EVERY_MS = 60_000;
const CLEANUP_EVERY_MS = 3_600_000;

/** The periodic jobs of a process. */
export interface RunningJobs {
  /** Whether this process is the leader, which runs the jobs. */
  readonly leads: boolean;
  wakeMail(): void;
  stop(): Promise<void>;
}

/**
 * Runs the periodic jobs in one of the processes that share the database, the leader. Only
 * `note-alive` runs in all: the service is up as long as any process is.
 */
export function runJobs(ctx: AppContext, pool: pg.Pool): RunningJobs {
  const { log } = ctx;
  const now = () => ctx.clock.now();
  const job = (name: JobName, everyMs: number, task: Task) =>
    new PeriodicJob(name, everyMs, task, log, () => ctx.metrics.jobFailures.inc({ job: name }));
  const mail = job('deliver-mail', MAIL_EVERY_MS, (signal) => deliverMail(ctx, signal));
  const jobs = [
    mail,
    job('close-due-participants', CLOSE_EVERY_MS, () => close(ctx)),
    job('seal-audit', SEAL_EVERY_MS, () => sealAudit(ctx)),
    job('flag-silent-monitors', MONITOR_EVERY_MS, () => flagSilentMonitors(ctx, now())),
    job('remove-leftovers', LEFTOVERS_EVERY_MS, (signal) =>
      removeLeftovers(pool, log, now(), signal),
    ),
    job('cleanup', CLEANUP_EVERY_MS, () => cleanUp(ctx)),
  ];
  const alive = job('note-alive', CLOCK_LIMITS.livenessEveryMs, () => ctx.liveness.note(now()));
  const election = joinElection(pool, ctx, {
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
      return election.leads;
    },
    wakeMail: () => mail.wake(),
    async stop() {
      await alive.stop();
      await election.stop();
    },
  };
}

/** In this order: an outage is detected before it closes any attempt. */
async function close(ctx: ProcessContext): Promise<void> {
  await ctx.liveness.note(ctx.clock.now());
  await closeDueParticipants(ctx);
}

/** Runs all steps, then throws the first error. */
async function cleanUp(ctx: FileContext): Promise<void> {
  const now = ctx.clock.now();
  await everyStep(ctx.log, {
    sessions: () => deleteOldSessions(ctx.db, now),
    'head of the audit log': () => mailAuditHead(ctx, now),
    'failed sign-ins': () => deleteOldFailures(ctx.db, now),
    'live board': () => deletePolls(ctx.db),
    retention: () => deleteExpired(ctx, now),
  });
}
