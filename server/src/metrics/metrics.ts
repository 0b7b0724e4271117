import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Queryable } from '../db/database.ts';
import type { ServiceClock } from '../runtime/clock.ts';
import { within } from '../runtime/within.ts';
import {
  countMail,
  countOpenAttempts,
  countUnsealedEntries,
  probeDatabase,
} from './shared-queries.ts';

/** The sources that are read when the metrics are scraped. */
export interface MetricSources {
  db: Queryable;
  clock: ServiceClock;
  pool: { totalCount: number; idleCount: number; waitingCount: number };
  openStreams: { count: number };
  disk: { freeBytes: number | null; isLow: boolean };
  trust: { chainProblem: string | null; brokenSeals: Record<string, number> };
  /** Whether this process runs the periodic jobs. */
  leads(): boolean;
}

const DATABASE_WITHIN_MS = 2_000;
/** Upper bounds in seconds: most saves take milliseconds, and one must be answered within 15 s. */
const SAVE_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
const BATCH_SIZES = [1, 2, 5, 10, 20, 50, 100, 200];

/** The periodic jobs, as named in log and metrics. */
const JOBS = [
  'note-alive',
  'close-due-participants',
  'deliver-mail',
  'release-results',
  'send-reminders',
  'seal-audit',
  'flag-silent-monitors',
  'remove-leftovers',
  'cleanup',
] as const;
export type JobName = (typeof JOBS)[number];

/** Why admission refused a request: the budget of its session or network, or too many at once. */
const REFUSALS = ['session', 'network', 'crowded'] as const;
export type Refused = (typeof REFUSALS)[number];

/** How the values of several processes are combined: `max` and `min` where all read the same one. */
type Aggregator = 'sum' | 'max' | 'min';

/**
 * The metrics of this process for Prometheus. Over several processes of one installation the counts
 * are summed, and what all of them read from the database is reported once. None is about a person.
 *
 * Counters by a known label are reported as 0 from the start: Prometheus sees an increase only from a
 * value that it has read.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly saves = this.#counter('invigil_saves_total', 'Save requests by outcome', 'outcome', [
    'saved',
    'conflict',
    'refused',
    'failed',
  ]);
  readonly saveSeconds = new Histogram({
    name: 'invigil_save_seconds',
    help: 'From the arrival of a save to its commit',
    buckets: SAVE_SECONDS,
    registers: [this.registry],
  });
  readonly saveBatches = new Histogram({
    name: 'invigil_save_batch_size',
    help: 'Saves in one commit',
    buckets: BATCH_SIZES,
    registers: [this.registry],
  });
  readonly #responses = this.#counter(
    'invigil_responses_total',
    'API responses by class of status',
    'class',
    ['2xx', '4xx', '5xx'],
  );
  readonly requestsRefused = this.#counter(
    'invigil_requests_refused_total',
    'Requests refused before they were read: over the budget of their session or network, or too many without a session at once',
    'reason',
    REFUSALS,
  );
  readonly jobFailures = this.#counter(
    'invigil_job_failures_total',
    'Failed runs of periodic jobs',
    'job',
    JOBS,
  );
  readonly passwordsRefused = this.#counter(
    'invigil_passwords_refused_total',
    'Passwords that were not evaluated: the budget of guesses is used up, or too many are queued',
    'reason',
    ['throttled', 'busy'],
  );
  readonly violations = new Counter({
    name: 'invigil_violations_total',
    help: 'Stored reports of the monitor, and whether they counted',
    labelNames: ['type', 'counted'],
    registers: [this.registry],
  });

  countResponse(status: number): void {
    const name = `${Math.trunc(status / 100)}xx`;
    if (name === '2xx' || name === '4xx' || name === '5xx') this.#responses.inc({ class: name });
  }

  /** Adds memory, processor, garbage collection, event-loop delay and handles of the process. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Adds what is read on a scrape. An unavailable database costs two seconds, and its values are missing. */
  watch(sources: MetricSources): void {
    const { clock, pool, openStreams, disk, trust } = sources;
    this.#gauge('invigil_processes', 'Server processes included', () => 1);
    this.#gauge('invigil_streams_open', 'Open event streams', () => openStreams.count);
    this.#gauge('invigil_jobs_leader', '1 in the process that runs the periodic jobs', () =>
      Number(sources.leads()),
    );
    this.#gauge(
      'invigil_clock_alarm',
      '1 while database time and service time disagree and automatic closing pauses',
      () => Number(!clock.isTrusted()),
      'max',
    );
    this.#gauge(
      'invigil_machine_clock_alarm',
      "1 while this machine's clock differs from the service time; it decides nothing",
      () => Number(!clock.machineAgrees()),
      'max',
    );
    this.#gauge(
      'invigil_disk_alarm',
      '1 while little disk space is left or the disk does not respond, and no new attempt begins',
      () => Number(disk.isLow),
      'max',
    );
    this.#gauge(
      'invigil_disk_free_bytes',
      'Free disk space for the data folder',
      () => disk.freeBytes,
      'min',
    );
    this.#gauge(
      'invigil_audit_chain_alarm',
      '1 while the audit chain does not match its last known head, and nothing is sealed',
      () => Number(trust.chainProblem !== null),
      'max',
    );
    new Counter({
      name: 'invigil_broken_seals_total',
      help: 'Rows that were read and did not match their seal',
      labelNames: ['kind'],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [kind, n] of Object.entries(trust.brokenSeals)) this.inc({ kind }, n);
      },
    });
    this.#gauge(
      'invigil_pool_busy',
      'Database connections in use',
      () => pool.totalCount - pool.idleCount,
    );
    this.#gauge('invigil_pool_idle', 'Database connections not in use', () => pool.idleCount);
    this.#gauge(
      'invigil_pool_waiting',
      'Queries that wait for a connection',
      () => pool.waitingCount,
    );
    this.#watchDatabase(sources);
  }

  /** The same for every process. A slow value does not affect the others. */
  #watchDatabase({ db, clock }: MetricSources): void {
    const attempts = shared(() => countOpenAttempts(db, clock.now()));
    const mail = shared(() => countMail(db, clock.now()));
    this.#gauge(
      'invigil_database_up',
      '1 if the database responded within 2 s',
      () =>
        inTime(probeDatabase(db)).then(
          () => 1,
          () => 0,
        ),
      'min',
    );
    this.#gauge(
      'invigil_attempts_open',
      'Attempts in progress',
      async () => (await attempts()).open,
      'max',
    );
    this.#gauge(
      'invigil_attempts_due',
      'Attempts past their due time for more than 10 s and not ended yet',
      async () => (await attempts()).due,
      'max',
    );
    this.#gauge(
      'invigil_audit_unsealed',
      'Audit entries not yet in the chain',
      () => inTime(countUnsealedEntries(db)),
      'max',
    );
    this.#gauge(
      'invigil_outbox_retrying_seconds',
      'Time since the first attempt for the message that has been retried longest, or since the queue is paused',
      async () => (await mail()).retryingSeconds,
      'max',
    );
    new Gauge({
      name: 'invigil_outbox_messages',
      help: 'Mail by state; sent: in the last day',
      labelNames: ['state'],
      aggregator: 'max',
      registers: [this.registry],
      async collect() {
        this.reset();
        const { states } = await mail().catch(() => ({ states: {} }));
        for (const [state, n] of Object.entries(states)) this.set({ state }, n);
      },
    });
  }

  #counter<V extends string, L extends string>(
    name: string,
    help: string,
    label: L,
    values: readonly V[],
  ): CounterOf<L, V> {
    const counter = new Counter({ name, help, labelNames: [label], registers: [this.registry] });
    for (const value of values) counter.inc({ [label]: value } as Record<L, V>, 0);
    return counter as CounterOf<L, V>;
  }

  /** A gauge read on a scrape; missing while its value is null or cannot be read. */
  #gauge(
    name: string,
    help: string,
    read: () => number | null | Promise<number>,
    aggregator: Aggregator = 'sum',
  ): void {
    new Gauge({
      name,
      help,
      aggregator,
      registers: [this.registry],
      async collect() {
        const value = await Promise.resolve(read()).catch(() => null);
        if (value === null) this.remove();
        else this.set(value);
      },
    });
  }
}

/** A counter by the known values of one label. */
interface CounterOf<L extends string, V extends string> {
  inc(labels: Record<L, V>): void;
}

function inTime<T>(work: Promise<T>): Promise<T> {
  return within(DATABASE_WITHIN_MS, work, () => new Error('too late'));
}

/** One query for all metrics of a scrape that it has values for. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= inTime(read()).finally(() => {
      running = undefined;
    });
    return running;
  };
}
