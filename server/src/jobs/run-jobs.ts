import { CLOCK_LIMITS } from '@invigil/core/domain/limits';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { AppContext, AttemptContext, FileContext, ProcessContext } from '../app-context.ts';
import { findParticipant, type ParticipantView } from '../db/queries/attempts/attempts.ts';
import { lockParticipant } from '../db/queries/attempts/locks.ts';
import { listDueCertificates, listDueReleases } from '../db/queries/attempts/releases.ts';
import { deleteOldSessions } from '../db/queries/session-changes.ts';
import { deleteOldFailures } from '../db/queries/throttle.ts';
import { inTransaction } from '../db/transaction.ts';
import { removeLeftovers } from '../db/upkeep/erased-leftovers.ts';
import { canMail, releaseDue } from '../features/attempts/release-results.ts';
import { raiseFlag } from '../features/attempts/store-violation.ts';
import { mailAuditHead } from '../features/audit-log/mail-head.ts';
import { issueCertificate } from '../features/results/certificates.ts';
import { deleteExpired } from '../features/review/delete-expired.ts';
import { deletePolls } from '../features/review/live/poll-queries.ts';
import type { JobName } from '../metrics/metrics.ts';
import { AppError } from '../runtime/app-error.ts';
import { everyStep } from '../runtime/within.ts';
import { sealAudit } from '../trust/seal-audit.ts';
import { closeDueParticipants } from './close-due-participants.ts';
import { deliverMail } from './deliver-mail.ts';
import { joinElection } from './leader-election.ts';
import { listSilent, listUnchecked, listWithoutStills, recordSilence } from './monitor-queries.ts';
import { sendReminders } from './send-reminders.ts';

const CLOSE_EVERY_MS = 1_000;
const MAIL_EVERY_MS = 2_000;
const RELEASE_EVERY_MS = 5_000;
const REMIND_EVERY_MS = 30_000;
const SEAL_EVERY_MS = 1_000;
const MONITOR_EVERY_MS = 3_000;
const LEFTOVERS_EVERY_MS = 60_000;
const CLEANUP_EVERY_MS = 3_600_000;

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
    job('release-results', RELEASE_EVERY_MS, (signal) => releaseResults(ctx, now(), signal)),
    job('send-reminders', REMIND_EVERY_MS, (signal) => sendReminders(ctx, now(), signal)),
    job('seal-audit', SEAL_EVERY_MS, () => sealAudit(ctx)),
    job('flag-silent-monitors', MONITOR_EVERY_MS, () => flagSilentMonitors(ctx, now())),
    job('remove-leftovers', LEFTOVERS_EVERY_MS, (signal) =>
      removeLeftovers(pool, log, now(), signal),
    ),
    job('cleanup', CLEANUP_EVERY_MS, (signal) => cleanUp(ctx, signal)),
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

/** Closes attempts that are due. An outage is detected first, before it closes any attempt. */
async function close(ctx: ProcessContext): Promise<void> {
  await ctx.liveness.note(ctx.clock.now());
  await closeDueParticipants(ctx);
}

/** Most results in one transaction. */
const MOST_RELEASED = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Results that a rule releases by itself, with a mail to each candidate, and the certificates of all released. */
export async function releaseResults(
  ctx: AttemptContext,
  now: Date,
  stop: AbortSignal = new AbortController().signal,
): Promise<void> {
  // A result that is not released stays due: one that was changed outside of Invigil holds up no other.
  for (let after = FIRST_ID; !stop.aborted && (await canMail(ctx.db)); ) {
    const ids = (await listDueReleases(ctx.db, now, after, MOST_RELEASED)).map(({ id }) => id);
    await releaseDue(ctx, ids, now);
    if (ids.length > 0) ctx.wakeMail();
    after = ids.at(-1) ?? after;
    if (ids.length < MOST_RELEASED) break;
  }
  for (let after = FIRST_ID; !stop.aborted; ) {
    const ids = await listDueCertificates(ctx.db, after, MOST_RELEASED);
    for (const id of ids) {
      if (stop.aborted) return;
      // One that cannot be issued holds up no other.
      await issueCertificate(ctx, id, now).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
      });
    }
    after = ids.at(-1) ?? after;
    if (ids.length < MOST_RELEASED) break;
  }
}

/** Runs all steps, then throws the first error. */
async function cleanUp(ctx: FileContext, stop: AbortSignal): Promise<void> {
  const now = ctx.clock.now();
  await everyStep(ctx.log, {
    sessions: () => deleteOldSessions(ctx.db, now),
    'head of the audit log': () => mailAuditHead(ctx, now),
    'failed sign-ins': () => deleteOldFailures(ctx.db, now),
    'live board': () => deletePolls(ctx.db),
    retention: () => deleteExpired(ctx, now, stop),
  });
}

/** One run of a job; the signal asks it to end soon. */
type Task = (signal: AbortSignal) => Promise<unknown>;

/** Runs a task periodically, never concurrently; a failure is logged and the next run follows. */
export class PeriodicJob {
  readonly #name: string;
  readonly #everyMs: number;
  readonly #task: Task;
  readonly #log: Logger;
  readonly #onFailure: ((name: string) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #ending = new AbortController();
  #started = false;
  #woken = false;

  /** @param onFailure called with the name of the job after each failed run */
  constructor(
    name: string,
    everyMs: number,
    task: Task,
    log: Logger,
    onFailure?: (name: string) => void,
  ) {
    this.#name = name;
    this.#everyMs = everyMs;
    this.#task = task;
    this.#log = log;
    this.#onFailure = onFailure;
  }

  /** Runs at once, or right after a run that has not ended since the last stop. */
  start(): void {
    this.#started = true;
    this.wake();
  }

  /** Runs now, or right after the current run. Does nothing before the start. */
  wake(): void {
    if (!this.#started) return;
    if (this.#running) this.#woken = true;
    else this.#running = this.#run();
  }

  /**
   * Asks the current run to end, and resolves when it has; no further one follows. The job may be
   * started again before that.
   */
  async stop(): Promise<void> {
    this.#started = false;
    clearTimeout(this.#timer);
    this.#ending.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    do {
      this.#woken = false;
      this.#ending = new AbortController();
      try {
        await this.#task(this.#ending.signal);
      } catch (error) {
        this.#log.error({ err: error, job: this.#name }, 'a periodic job failed');
        this.#onFailure?.(this.#name);
      }
    } while (this.#woken && this.#started);
    this.#running = undefined;
    if (!this.#started) return;
    this.#timer = setTimeout(() => this.wake(), this.#everyMs);
    this.#timer.unref();
  }
}

type Ctx = Pick<FileContext, 'db' | 'disk'>;

/**
 * Flags attempts that save answers while the page's monitor sends nothing: it was disabled, or the
 * page is broken. One flag for each silence, for a person to review, and never a dismissal (product
 * 6). The same for a monitor that reports but checks no picture, and for one whose stills do not
 * arrive.
 */
export async function flagSilentMonitors(ctx: Ctx, now: Date): Promise<void> {
  await recordSilence(ctx.db, now);
  for (const id of await listSilent(ctx.db, now)) {
    await flag(ctx, id, now, ({ silentSince: at }) => at && { type: 'monitor_silent', at });
  }
  for (const { id, durationMs } of await listUnchecked(ctx.db)) {
    await flag(
      ctx,
      id,
      now,
      ({ checksStalledSince: at }) => at && { type: 'camera_unjudged', at, durationMs },
    );
  }
  // On a full disk stills are refused, so missing ones are not suspicious.
  if (ctx.disk.isNearlyFull) return;
  for (const id of await listWithoutStills(ctx.db, now)) {
    await flag(ctx, id, now, () => ({ type: 'stills_missing', at: now }));
  }
}

/** @param flagOf evaluated under the lock: the monitor may be back since the attempt was listed */
function flag(
  ctx: Ctx,
  participantId: string,
  now: Date,
  flagOf: (attempt: ParticipantView) => Parameters<typeof raiseFlag>[2] | null,
): Promise<void> {
  return inTransaction(ctx.db, async (tx) => {
    await lockParticipant(tx, participantId);
    const attempt = await findParticipant(tx, participantId);
    if (attempt?.status !== 'in_progress') return;
    const raised = flagOf(attempt);
    if (raised !== null) await raiseFlag(tx, attempt, raised, now);
  });
}
