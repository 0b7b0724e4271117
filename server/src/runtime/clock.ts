import { uptime } from 'node:os';
import { CLOCK_LIMITS } from '@invigil/core/domain/limits';
import type pg from 'pg';
import type { Logger } from 'pino';

/** The only source of `now`. Every rule and statement takes the time from here as a parameter. */
export interface ServiceClock {
  now(): Date;
  /** False while database and carried time disagree: nothing may be closed automatically then. */
  isTrusted(): boolean;
  /**
   * The database is ahead by so little that this process may have been suspended with its machine:
   * another process may know the time better. After a jump of the database's clock none does.
   */
  isLate(): boolean;
  /** False while this machine's clock differs. Nothing is decided by that clock. */
  machineAgrees(): boolean;
}

/** Migrated or snapshotted machines pause for seconds; a wrong clock is off by more than this. */
const LONGEST_HALT_MS = 60_000;

/** A clock that stays in step with the database until it is stopped. */
export interface RunningClock extends ServiceClock {
  stop(): void;
}

/** The clock's two sources; tests pass their own. */
export interface ClockSources {
  /** The database's time in epoch milliseconds. */
  databaseMs(): Promise<number>;
  /** Milliseconds that never jump, whatever the machine's clock does. They pause while it sleeps. */
  monotonicMs(): number;
  /** Milliseconds since the machine was started, its sleep included. */
  uptimeMs(): number;
  /** This machine's clock, in epoch milliseconds. Only monitored. */
  machineMs(): number;
}

/**
 * Carries the database's time on with the process's monotonic clock (product 4.1). A difference up to the
 * tolerance is drift and is followed, never backwards. A larger one is a jump of a clock: the carried
 * time stays in force, `isTrusted` turns false and an alarm is logged, so that a jump ends no attempt and
 * refuses no save. A machine that slept for as long as the database is ahead has not jumped: its time is
 * followed, and attempts that came due get the minute of an outage.
 */
export class CarriedClock implements ServiceClock {
  readonly #sources: ClockSources;
  readonly #log: Logger;
  #baseMs = 0;
  #baseMonotonic = 0;
  #baseUptime = 0;
  #latestMs = 0;
  #trusted = true;
  #late = false;
  #machineAgrees = true;

  constructor(sources: ClockSources, log: Logger) {
    this.#sources = sources;
    this.#log = log;
  }

  now(): Date {
    const carried = this.#baseMs + (this.#sources.monotonicMs() - this.#baseMonotonic);
    this.#latestMs = Math.max(this.#latestMs, Math.floor(carried));
    return new Date(this.#latestMs);
  }

  isTrusted(): boolean {
    return this.#trusted;
  }

  isLate(): boolean {
    return this.#late;
  }

  machineAgrees(): boolean {
    return this.#machineAgrees;
  }

  /** Takes the first reading; throws what the database throws. */
  async start(): Promise<void> {
    this.#rebase(await this.#read());
  }

  /** Compares the times once; on a database error it throws and changes nothing. */
  async compare(): Promise<void> {
    this.#follow(await this.#read());
    this.#watchMachine();
  }

  #follow(reading: Reading): void {
    // The reading's moment lies anywhere within its duration. Long durations, as under load, must
    // neither move the clock nor look like a jump.
    if (reading.tookMs > CLOCK_LIMITS.readingMaxMs) return;
    const awakeMs = reading.monotonicMs - this.#baseMonotonic;
    const sleptMs = reading.uptimeMs - this.#baseUptime - awakeMs;
    const differenceMs = Math.round(reading.databaseMs - this.#baseMs - awakeMs);
    if (sleptMs > CLOCK_LIMITS.toleranceMs && isTolerable(differenceMs - sleptMs)) {
      this.#log.warn({ sleptMs: Math.round(sleptMs) }, 'clock: the machine slept');
    } else if (!isTolerable(differenceMs)) {
      if (this.#trusted) {
        this.#log.error(
          { differenceMs },
          'clock alarm: database time jumped; the carried time stays in force, automatic closing pauses',
        );
      }
      this.#trusted = false;
      this.#late = differenceMs > 0 && differenceMs <= LONGEST_HALT_MS;
      return;
    }
    if (!this.#trusted) this.#log.warn({ differenceMs }, 'clock alarm over: times agree again');
    this.#trusted = true;
    this.#late = false;
    this.#rebase(reading);
  }

  /** A machine whose clock jumps logs wrong times, and others reject its signatures. */
  #watchMachine(): void {
    const differenceMs = Math.round(this.#sources.machineMs() - this.now().getTime());
    const agrees = isTolerable(differenceMs);
    if (this.#machineAgrees && !agrees) {
      this.#log.error(
        { differenceMs },
        "clock alarm: this machine's clock is wrong; the service's time continues without it",
      );
    } else if (!this.#machineAgrees && agrees) {
      this.#log.warn({ differenceMs }, "clock alarm over: this machine's clock agrees again");
    }
    this.#machineAgrees = agrees;
  }

  #rebase({ databaseMs, monotonicMs, uptimeMs }: Reading): void {
    this.#baseMs = databaseMs;
    this.#baseMonotonic = monotonicMs;
    this.#baseUptime = uptimeMs;
  }

  async #read(): Promise<Reading> {
    const { monotonicMs, uptimeMs } = this.#sources;
    const before = { monotonic: monotonicMs(), uptime: uptimeMs() };
    const databaseMs = await this.#sources.databaseMs();
    const tookMs = monotonicMs() - before.monotonic;
    return {
      databaseMs,
      tookMs,
      monotonicMs: before.monotonic + tookMs / 2,
      uptimeMs: (before.uptime + uptimeMs()) / 2,
    };
  }
}

interface Reading {
  databaseMs: number;
  /** Milliseconds from the query to the response. */
  tookMs: number;
  monotonicMs: number;
  uptimeMs: number;
}

function isTolerable(differenceMs: number): boolean {
  return Math.abs(differenceMs) <= CLOCK_LIMITS.toleranceMs;
}

/** Starts the clock of a server process and compares it every few seconds. */
export async function startServiceClock(deps: {
  pool: pg.Pool;
  log: Logger;
}): Promise<RunningClock> {
  const clock = new CarriedClock(
    {
      async databaseMs() {
        // clock_timestamp() decides nothing in SQL: it is the reading that the clock carries on.
        const { rows } = await deps.pool.query<{ ms: string }>({
          name: 'read-clock',
          text: 'select (extract(epoch from clock_timestamp()) * 1000)::text as ms',
        });
        return Number(rows[0]?.ms);
      },
      monotonicMs: () => performance.now(),
      uptimeMs: () => uptime() * 1_000,
      machineMs: () => Date.now(),
    },
    deps.log,
  );
  await clock.start();
  const timer = setInterval(() => {
    clock.compare().catch((error: unknown) => {
      deps.log.warn({ err: error }, 'clock: the database could not be read; time is carried on');
    });
  }, CLOCK_LIMITS.livenessEveryMs);
  timer.unref();
  return Object.assign(clock, { stop: () => clearInterval(timer) });
}
