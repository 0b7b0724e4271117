import { collectDefaultMetrics, Registry } from 'prom-client';
import { within } from '../runtime/within.ts';
import { type Figure, gauge, gauges, histogram, tally } from './figure.ts';
import { SaveFigures } from './save-figures.ts';

/** What only the app as a whole knows; asked when somebody reads the figures. */
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
 * What the database knows, and so every process tells alike. Each throws, or takes too long, when
 * the database is away; one that is slow takes nothing from the others.
 */
export interface DatabaseSources {
  probe(): Promise<void>;
  attempts(): Promise<AttemptFigures>;
  unsealedEntries(): Promise<number>;
  mail(): Promise<MailFigures>;
}

export interface MailFigures {
  states: Record<string, number>;
  /** Since the first try of what has been tried longest and still waits; 0: nothing does. */
  retryingSeconds: number;
}

export interface AttemptFigures {
  open: number;
  /** Whose time has been over for more than ten seconds and that nobody has ended yet. */
  due: number;
}

const DATABASE_WITHIN_MS = 2_000;

/** The periodic jobs: how the log and the figures call them. */
export type JobName =
  | 'note-alive'
  | 'close-due-participants'
  | 'deliver-mail'
  | 'seal-audit'
  | 'flag-silent-monitors'
  | 'remove-leftovers'
  | 'seal-earlier-rows'
  | 'cleanup';

/**
 * Why admission refused a request: by the budget of its session or network, or as one of too many.
 */
export type Refused = 'session' | 'network' | 'crowded';

/**
 * The figures of this process for whoever operates it, in Prometheus's words. Of several processes
 * of one start the numbers are summed, what they all read in the database is told once. Nothing in
 * them is about a person.
 *
 * What is counted on the way of a request is a plain number; everything else is read when asked
 * for.
 */
export class Metrics {
  readonly saves = new SaveFigures();
  readonly #violations = new Map<string, { type: string; counted: string; n: number }>();
  /** By the hundreds of their status. */
  readonly #responses = [0, 0, 0, 0, 0, 0];
  readonly #refused: Record<Refused, number> = { session: 0, network: 0, crowded: 0 };
  /** Told before the first one: Prometheus sees a count grow only from a value that it has read. */
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

  /** A sign-in that was refused before its password was looked at. */
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

  /** A request that admission control refused. */
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

  /** Everything as it stands now. A database that is away costs two seconds and what it knows. */
  async read(sources: MetricSources): Promise<Figure[]> {
    const ofDatabase = await readDatabase(sources.database);
    const ofProcess = (await this.#process?.getMetricsAsJSON()) ?? [];
    return [
      ...this.#counted(),
      ...ofApp(sources),
      ...ofDatabase,
      ...(ofProcess as unknown as Figure[]),
    ];
  }

  #counted(): Figure[] {
    const { outcomes, seconds, batches } = this.saves;
    return [
      tally('invigil_saves_total', 'Save requests by what became of them', 'outcome', outcomes),
      histogram('invigil_save_seconds', 'From the arrival of a save to its commit', seconds),
      histogram('invigil_save_batch_size', 'Saves in one commit', batches),
      tally('invigil_responses_total', 'Answers of the API by class of status', 'class', {
        '2xx': this.#responses[2] ?? 0,
        '4xx': this.#responses[4] ?? 0,
        '5xx': this.#responses[5] ?? 0,
      }),
      tally(
        'invigil_requests_refused_total',
        'Requests refused before they were read: over the budget of their session or network, or too many strangers at once',
        'reason',
        this.#refused,
      ),
      tally(
        'invigil_job_failures_total',
        'Rounds of periodic jobs that failed',
        'job',
        this.#jobFailures,
      ),
      tally(
        'invigil_passwords_refused_total',
        'Passwords that were not evaluated: the budget of guesses is used up, or too many wait',
        'reason',
        this.#passwordsRefused,
      ),
      {
        name: 'invigil_violations_total',
        help: 'Reports of the monitor that were kept, and whether they counted',
        type: 'counter',
        aggregator: 'sum',
        values: [...this.#violations.values()].map(({ n, ...labels }) => ({ value: n, labels })),
      },
    ];
  }
}

function ofApp(sources: MetricSources): Figure[] {
  const { pool, streams, clockIsTrusted, machineClockAgrees, disk, trust, leads } = sources;
  const { totalCount, idleCount, waitingCount } = pool;
  return [
    gauge('invigil_processes', 'Serving processes in these figures', 1),
    gauge('invigil_streams_open', 'Open event streams', streams()),
    gauge('invigil_jobs_leader', '1 where the periodic jobs run', Number(leads())),
    gauge(
      'invigil_clock_alarm',
      '1 while database and carried time disagree and automatic closing pauses',
      Number(!clockIsTrusted()),
      'max',
    ),
    gauge(
      'invigil_machine_clock_alarm',
      "1 while this machine's clock is away from the service's time; nothing is decided by it",
      Number(!machineClockAgrees()),
      'max',
    ),
    gauge(
      'invigil_disk_alarm',
      '1 while little disk space is left, or the disk does not answer, and no new attempt begins',
      Number(disk.isLow),
      'max',
    ),
    gauge(
      'invigil_audit_chain_alarm',
      '1 while the audit chain does not end where it ended before, and nothing is sealed',
      Number(trust.chainProblem !== null),
      'max',
    ),
    tally(
      'invigil_broken_seals_total',
      'Rows that were used and are not as they were sealed',
      'kind',
      trust.brokenSeals,
    ),
    ...(disk.freeBytes === null
      ? []
      : [gauge('invigil_disk_free_bytes', 'Room left for our files', disk.freeBytes, 'min')]),
    gauge('invigil_pool_busy', 'Database connections in use', totalCount - idleCount),
    gauge('invigil_pool_idle', 'Database connections not in use', idleCount),
    gauge('invigil_pool_waiting', 'Work that waits for a connection', waitingCount),
  ];
}

/** Without what did not come in time. */
async function readDatabase(database: DatabaseSources): Promise<Figure[]> {
  const inTime = <T>(work: Promise<T>, tell: (result: T) => Figure[]) =>
    within(DATABASE_WITHIN_MS, work, () => new Error('too late')).then(tell, () => []);
  const up = (isUp: boolean) =>
    gauge('invigil_database_up', '1 when the database answered within 2 s', Number(isUp), 'min');
  const [probe, ...figures] = await Promise.all([
    inTime(database.probe(), () => [up(true)]),
    inTime(database.attempts(), ({ open, due }) => [
      gauge('invigil_attempts_open', 'Attempts under way', open, 'max'),
      gauge(
        'invigil_attempts_due',
        'Attempts whose time has been over for more than 10 s and that are not ended yet',
        due,
        'max',
      ),
    ]),
    inTime(database.unsealedEntries(), (n) => [
      gauge('invigil_audit_unsealed', 'Audit entries without a place in the chain', n, 'max'),
    ]),
    inTime(database.mail(), ({ states, retryingSeconds }) => [
      gauges('invigil_outbox_messages', 'Mail by state; sent: of the last day', 'state', states),
      gauge(
        'invigil_outbox_retrying_seconds',
        'Since the first try of the message that has been tried longest and still waits',
        retryingSeconds,
        'max',
      ),
    ]),
  ]);
  return [...(probe.length > 0 ? probe : [up(false)]), ...figures.flat()];
}
