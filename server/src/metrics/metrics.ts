import { collectDefaultMetrics, Registry } from 'prom-client';
import { within } from '../runtime/within.ts';
import { counter, gauge, gauges, histogram, type Metric } from './metric.ts';
import { SaveMetrics } from './save-metrics.ts';

/** Values that are read from the app when the metrics are scraped. */
export interface MetricSources {
  pool: { totalCount: number; idleCount: number; waitingCount: number };
  streams(): number;
  clockIsTrusted(): boolean;
  machineClockAgrees(): boolean;
  disk: { freeBytes: number | null; isLow: boolean };
  trust: { chainProblem: string | null; brokenSeals: Record<string, number> };
  leads(): boolean;
  database: DatabaseSources;
}

/**
 * Values from the database, the same for every process. Each rejects, or takes too long, while the
 * database is unavailable; a slow one does not affect the others.
 */
export interface DatabaseSources {
  probe(): Promise<void>;
  attempts(): Promise<AttemptCounts>;
  unsealedEntries(): Promise<number>;
  mail(): Promise<MailCounts>;
}

export interface MailCounts {
  states: Record<string, number>;
  /** Since the first attempt for the message retried longest, or since the queue is paused; 0 without. */
  retryingSeconds: number;
}

export interface AttemptCounts {
  open: number;
  /** Past their due time for more than ten seconds and not ended yet. */
  due: number;
}

const DATABASE_WITHIN_MS = 2_000;

/** The periodic jobs, as named in log and metrics. */
export type JobName =
  | 'note-alive'
  | 'close-due-participants'
  | 'deliver-mail'
  | 'seal-audit'
  | 'flag-silent-monitors'
  | 'remove-leftovers'
  | 'seal-earlier-rows'
  | 'cleanup';

/** Why admission refused a request: the budget of its session or network, or too many at once. */
export type Refused = 'session' | 'network' | 'crowded';

/**
 * The metrics of this process for Prometheus. Over several processes of one installation the counts
 * are summed, and what all of them read from the database is reported once. None is about a person.
 *
 * What is counted during a request is a plain number; everything else is read on a scrape.
 */
export class Metrics {
  readonly saves = new SaveMetrics();
  readonly #violations = new Map<string, { type: string; counted: string; n: number }>();
  /** By the first digit of the status. */
  readonly #responses = [0, 0, 0, 0, 0, 0];
  readonly #refused: Record<Refused, number> = { session: 0, network: 0, crowded: 0 };
  /**
   * Reported as 0 from the start: Prometheus sees an increase only from a value that it has read.
   */
  readonly #jobFailures: Record<JobName, number> = {
    'note-alive': 0,
    'close-due-participants': 0,
    'deliver-mail': 0,
    'seal-audit': 0,
    'flag-silent-monitors': 0,
    'remove-leftovers': 0,
    'seal-earlier-rows': 0,
    cleanup: 0,
  };
  readonly #passwordsRefused = { throttled: 0, busy: 0 };
  #process: Registry | undefined;

  /** Counts a sign-in that was refused before its password was evaluated. */
  countPasswordRefused(why: 'throttled' | 'busy'): void {
    this.#passwordsRefused[why] += 1;
  }

  countViolation(type: string, isCounted: boolean): void {
    const counted = String(isCounted);
    const key = `${type}/${counted}`;
    const n = (this.#violations.get(key)?.n ?? 0) + 1;
    this.#violations.set(key, { type, counted, n });
  }

  countJobFailure(job: JobName): void {
    this.#jobFailures[job] += 1;
  }

  /** Counts a request that admission control refused. */
  countRefused(why: Refused): void {
    this.#refused[why] += 1;
  }

  countResponse(status: number): void {
    const hundreds = Math.trunc(status / 100);
    this.#responses[hundreds] = (this.#responses[hundreds] ?? 0) + 1;
  }

  /** Adds memory, processor, garbage collection, event-loop delay and handles of the process. */
  watchProcess(): void {
    this.#process = new Registry();
    collectDefaultMetrics({ register: this.#process });
  }

  /** All current values. An unavailable database costs two seconds, and its values are missing. */
  async read(sources: MetricSources): Promise<Metric[]> {
    const ofDatabase = await readDatabase(sources.database);
    const ofProcess = (await this.#process?.getMetricsAsJSON()) ?? [];
    return [
      ...this.#counted(),
      ...ofApp(sources),
      ...ofDatabase,
      ...(ofProcess as unknown as Metric[]),
    ];
  }

  #counted(): Metric[] {
    const { outcomes, seconds, batches } = this.saves;
    return [
      counter('invigil_saves_total', 'Save requests by outcome', 'outcome', outcomes),
      histogram('invigil_save_seconds', 'From the arrival of a save to its commit', seconds),
      histogram('invigil_save_batch_size', 'Saves in one commit', batches),
      counter('invigil_responses_total', 'API responses by class of status', 'class', {
        '2xx': this.#responses[2] ?? 0,
        '4xx': this.#responses[4] ?? 0,
        '5xx': this.#responses[5] ?? 0,
      }),
      counter(
        'invigil_requests_refused_total',
        'Requests refused before they were read: over the budget of their session or network, or too many without a session at once',
        'reason',
        this.#refused,
      ),
      counter(
        'invigil_job_failures_total',
        'Failed runs of periodic jobs',
        'job',
        this.#jobFailures,
      ),
      counter(
        'invigil_passwords_refused_total',
        'Passwords that were not evaluated: the budget of guesses is used up, or too many are queued',
        'reason',
        this.#passwordsRefused,
      ),
      {
        name: 'invigil_violations_total',
        help: 'Stored reports of the monitor, and whether they counted',
        type: 'counter',
        aggregator: 'sum',
        values: [...this.#violations.values()].map(({ n, ...labels }) => ({ value: n, labels })),
      },
    ];
  }
}

function ofApp(sources: MetricSources): Metric[] {
  const { pool, streams, clockIsTrusted, machineClockAgrees, disk, trust, leads } = sources;
  const { totalCount, idleCount, waitingCount } = pool;
  return [
    gauge('invigil_processes', 'Server processes included', 1),
    gauge('invigil_streams_open', 'Open event streams', streams()),
    gauge('invigil_jobs_leader', '1 in the process that runs the periodic jobs', Number(leads())),
    gauge(
      'invigil_clock_alarm',
      '1 while database time and service time disagree and automatic closing pauses',
      Number(!clockIsTrusted()),
      'max',
    ),
    gauge(
      'invigil_machine_clock_alarm',
      "1 while this machine's clock differs from the service time; it decides nothing",
      Number(!machineClockAgrees()),
      'max',
    ),
    gauge(
      'invigil_disk_alarm',
      '1 while little disk space is left or the disk does not respond, and no new attempt begins',
      Number(disk.isLow),
      'max',
    ),
    gauge(
      'invigil_audit_chain_alarm',
      '1 while the audit chain does not match its last known head, and nothing is sealed',
      Number(trust.chainProblem !== null),
      'max',
    ),
    counter(
      'invigil_broken_seals_total',
      'Rows that were read and did not match their seal',
      'kind',
      trust.brokenSeals,
    ),
    ...(disk.freeBytes === null
      ? []
      : [
          gauge(
            'invigil_disk_free_bytes',
            'Free disk space for the data folder',
            disk.freeBytes,
            'min',
          ),
        ]),
    gauge('invigil_pool_busy', 'Database connections in use', totalCount - idleCount),
    gauge('invigil_pool_idle', 'Database connections not in use', idleCount),
    gauge('invigil_pool_waiting', 'Queries that wait for a connection', waitingCount),
  ];
}

/** Omits what is not read in time. */
async function readDatabase(database: DatabaseSources): Promise<Metric[]> {
  const inTime = <T>(work: Promise<T>, present: (result: T) => Metric[]) =>
    within(DATABASE_WITHIN_MS, work, () => new Error('too late')).then(present, () => []);
  const up = (isUp: boolean) =>
    gauge('invigil_database_up', '1 if the database responded within 2 s', Number(isUp), 'min');
  const [probe, ...metrics] = await Promise.all([
    inTime(database.probe(), () => [up(true)]),
    inTime(database.attempts(), ({ open, due }) => [
      gauge('invigil_attempts_open', 'Attempts in progress', open, 'max'),
      gauge(
        'invigil_attempts_due',
        'Attempts past their due time for more than 10 s and not ended yet',
        due,
        'max',
      ),
    ]),
    inTime(database.unsealedEntries(), (n) => [
      gauge('invigil_audit_unsealed', 'Audit entries not yet in the chain', n, 'max'),
    ]),
    inTime(database.mail(), ({ states, retryingSeconds }) => [
      gauges('invigil_outbox_messages', 'Mail by state; sent: in the last day', 'state', states),
      gauge(
        'invigil_outbox_retrying_seconds',
        'Time since the first attempt for the message that has been retried longest, or since the queue is paused',
        retryingSeconds,
        'max',
      ),
    ]),
  ]);
  return [...(probe.length > 0 ? probe : [up(false)]), ...metrics.flat()];
}
