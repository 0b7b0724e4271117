import { CLOCK_LIMITS } from '@invigil/core/domain/limits';
import { patienceOf } from '../../db/database-away.ts';
import { within } from '../../runtime/within.ts';

/** Nobody noted that the service was up for two rounds: it, or its database, was away. */
export const OUTAGE_MS = 2 * CLOCK_LIMITS.livenessEveryMs;

/** A request has time limits of its own after this one. */
const PATIENCE = patienceOf(3_000, 'what came due in an outage was not looked up');

/** What came of noting that the service is up. */
export interface Noted {
  /** Attempts that got a minute because they came due in an outage. */
  covered: number;
  /** Until when the service is known to have been up. */
  aliveAt: Date;
}

/** What this process knows of the service having been up. */
export class LivenessWatch {
  readonly #note: (now: Date) => Promise<Noted>;
  /** `null` before this process serves. */
  #aliveAt: Date | null = null;
  #catchingUp: Promise<void> | null = null;

  /** @param note `noteAliveAndRecover` */
  constructor(note: (now: Date) => Promise<Noted>) {
    this.#note = note;
  }

  /** Notes that the service is up, and gives a minute to who came due while it was not. */
  async note(now: Date): Promise<void> {
    const { aliveAt } = await this.#note(now);
    this.#aliveAt = aliveAt;
  }

  /**
   * What a request waits for before it is judged; `null` as long as there was no outage. After one the
   * requests that waited wake up at the same moment as the periodic jobs, and must not find their
   * attempt closed, or their session over, before the minute was given. Rejects while the database is
   * away.
   */
  caughtUp(now: Date): Promise<void> | null {
    if (this.#aliveAt === null || now.getTime() - this.#aliveAt.getTime() <= OUTAGE_MS) return null;
    this.#catchingUp ??= within(PATIENCE.ms, this.note(now), PATIENCE.tooSlow).finally(() => {
      this.#catchingUp = null;
    });
    return this.#catchingUp;
  }
}
