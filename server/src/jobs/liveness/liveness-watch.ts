import { CLOCK_LIMITS } from '@invigil/core/domain/limits';
import { timeoutOf } from '../../db/database-away.ts';
import { within } from '../../runtime/within.ts';

/** Liveness was not recorded for two intervals: the service or its database was down. */
export const OUTAGE_MS = 2 * CLOCK_LIMITS.livenessEveryMs;

/** A request has its own timeouts after this one. */
const TIMEOUT = timeoutOf(3_000, 'attempts that came due in an outage were not checked');

export interface Noted {
  /** Attempts that were given a minute because they came due in an outage. */
  covered: number;
  /** The last time at which the service is known to have been up. */
  aliveAt: Date;
}

/** Keeps what this process knows about outages of the service. */
export class LivenessWatch {
  readonly #note: (now: Date) => Promise<Noted>;
  /** `null` before this process serves. */
  #aliveAt: Date | null = null;
  #catchingUp: Promise<void> | null = null;

  /** @param note `recordAliveAndRecover` */
  constructor(note: (now: Date) => Promise<Noted>) {
    this.#note = note;
  }

  /**
   * Records that the service is up, and gives a minute to attempts that came due while it was down.
   */
  async note(now: Date): Promise<void> {
    const { aliveAt } = await this.#note(now);
    this.#aliveAt = aliveAt;
  }

  /**
   * Resolves when a request may be handled; `null` if there was no outage. After one, waiting
   * requests wake up together with the periodic jobs, and must not find their attempt closed or
   * their session expired before the minute was given. Rejects while the database is unavailable.
   */
  caughtUp(now: Date): Promise<void> | null {
    if (this.#aliveAt === null || now.getTime() - this.#aliveAt.getTime() <= OUTAGE_MS) return null;
    this.#catchingUp ??= within(TIMEOUT.ms, this.note(now), TIMEOUT.tooSlow).finally(() => {
      this.#catchingUp = null;
    });
    return this.#catchingUp;
  }
}
