import type { Logger } from 'pino';

/** One round of a job; the signal asks it to end soon. */
export type Round = (signal: AbortSignal) => Promise<unknown>;

/** Runs a task again and again, never twice at once; a failure is logged and the next round comes. */
export class PeriodicJob {
  readonly #name: string;
  readonly #everyMs: number;
  readonly #task: Round;
  readonly #log: Logger;
  readonly #onFailure: ((name: string) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #ending = new AbortController();
  #started = false;
  #woken = false;

  /** @param onFailure told the name of the job after each round that failed */
  constructor(
    name: string,
    everyMs: number,
    task: Round,
    log: Logger,
    onFailure?: (name: string) => void,
  ) {
    this.#name = name;
    this.#everyMs = everyMs;
    this.#task = task;
    this.#log = log;
    this.#onFailure = onFailure;
  }

  /** Starts with a round at once; where one of before the last stop still runs, right after it. */
  start(): void {
    this.#started = true;
    this.wake();
  }

  /** Runs a round now, or right after the one that is running. Does nothing before the start. */
  wake(): void {
    if (!this.#started) return;
    if (this.#running) this.#woken = true;
    else this.#running = this.#round();
  }

  /**
   * Asks a round that is running to end, and resolves when it has; no further one comes. The job may
   * be started again before that.
   */
  async stop(): Promise<void> {
    this.#started = false;
    clearTimeout(this.#timer);
    this.#ending.abort();
    await this.#running;
  }

  async #round(): Promise<void> {
    clearTimeout(this.#timer);
    do {
      this.#woken = false;
      this.#ending = new AbortController();
      try {
        await this.#task(this.#ending.signal);
      } catch (error) {
        this.#log.error({ err: error, job: this.#name }, 'a round of a periodic job failed');
        this.#onFailure?.(this.#name);
      }
    } while (this.#woken && this.#started);
    this.#running = undefined;
    if (!this.#started) return;
    this.#timer = setTimeout(() => this.wake(), this.#everyMs);
    this.#timer.unref();
  }
}
