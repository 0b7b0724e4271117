import { CLOCK_LIMITS } from '@invigil/core/domain/limits';
import type pg from 'pg';
import type { Logger } from 'pino';

/** The only source of `now`. Every rule and statement takes the time from here as a parameter. */
export interface ServiceClock {
  now(): Date;
  /** False while database and carried time disagree: nothing may be closed by itself then. */
  isTrusted(): boolean;
}

/** A clock that keeps itself in step with the database until it is stopped. */
export interface RunningClock extends ServiceClock {
  stop(): void;
}

/** Where the clock's two sources come from; tests bring their own. */
export interface ClockSources {
  /** The database's time in epoch milliseconds. */
  databaseMs(): Promise<number>;
  /** Milliseconds that never jump, whatever happens to the machine's clock. */
  monotonicMs(): number;
}

/**
 * Carries the database's time on with the process's monotonic clock (product 4.1). A difference up
 * to the tolerance is drift and is followed, never backwards. A larger one is a jump of somebody's
 * clock: the carried time stays in force, `isTrusted` turns false and an alarm goes to the log, so
 * that a jump ends no attempt and refuses no save.
 */
export class CarriedClock implements ServiceClock {
  readonly #sources: ClockSources;
  readonly #log: Logger;
  #baseMs = 0;
  #baseMonotonic = 0;
  #latestMs = 0;
  #trusted = true;

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

  /** Takes the first reading; throws what the database throws. */
  async start(): Promise<void> {
    const { databaseMs, monotonicMs } = await this.#read();
    this.#baseMs = databaseMs;
    this.#baseMonotonic = monotonicMs;
  }

  /** Compares both times once; throws what the database throws, and then nothing has changed. */
  async compare(): Promise<void> {
    const { databaseMs, monotonicMs } = await this.#read();
    const carriedMs = this.#baseMs + (monotonicMs - this.#baseMonotonic);
    const differenceMs = Math.round(databaseMs - carriedMs);
    if (Math.abs(differenceMs) > CLOCK_LIMITS.toleranceMs) {
      if (this.#trusted) {
        this.#log.error(
          { differenceMs },
          'clock alarm: database time jumped; the carried time stays in force, automatic closing pauses',
        );
      }
      this.#trusted = false;
      return;
    }
    if (!this.#trusted) this.#log.warn({ differenceMs }, 'clock alarm over: times agree again');
    this.#trusted = true;
    this.#baseMs = databaseMs;
    this.#baseMonotonic = monotonicMs;
  }

  async #read() {
    const before = this.#sources.monotonicMs();
    const databaseMs = await this.#sources.databaseMs();
    const after = this.#sources.monotonicMs();
    return { databaseMs, monotonicMs: (before + after) / 2 };
  }
}

/** Starts the clock of a server process and compares it every few seconds. */
export async function startServiceClock(deps: {
  pool: pg.Pool;
  log: Logger;
}): Promise<RunningClock> {
  const clock = new CarriedClock(
    {
      async databaseMs() {
        // clock_timestamp() decides nothing in SQL here: it is the reading that the clock carries on.
        const { rows } = await deps.pool.query<{ ms: string }>({
          name: 'read-clock',
          text: 'select (extract(epoch from clock_timestamp()) * 1000)::text as ms',
        });
        return Number(rows[0]?.ms);
      },
      monotonicMs: () => performance.now(),
    },
    deps.log,
  );
  await clock.start();
  const timer = setInterval(() => {
    clock.compare().catch((error: unknown) => {
      deps.log.warn({ err: error }, 'clock: the database could not be asked; time is carried on');
    });
  }, CLOCK_LIMITS.livenessEveryMs);
  timer.unref();
  return {
    now: () => clock.now(),
    isTrusted: () => clock.isTrusted(),
    stop: () => clearInterval(timer),
  };
}
