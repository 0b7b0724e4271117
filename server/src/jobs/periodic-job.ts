import type { Logger } from 'pino';

/** Runs a task again and again, never twice at once; a failure is logged and the next round comes. */
export class PeriodicJob {
  readonly #name: string;
  readonly #everyMs: number;
  readonly #task: () => Promise<unknown>;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #started = false;
  #woken = false;

  constructor(name: string, everyMs: number, task: () => Promise<unknown>, log: Logger) {
    this.#name = name;
    this.#everyMs = everyMs;
    this.#task = task;
    this.#log = log;
  }

  /** Starts with a round at once. */
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

  /** Resolves when a round that was running has ended; no further one comes. */
  async stop(): Promise<void> {
    this.#started = false;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #round(): Promise<void> {
    clearTimeout(this.#timer);
    do {
      this.#woken = false;
      try {
        await this.#task();
      } catch (error) {
        this.#log.error({ err: error, job: this.#name }, 'a round of a periodic job failed');
      }
    } while (this.#woken && this.#started);
    this.#running = undefined;
    if (!this.#started) return;
    this.#timer = setTimeout(() => this.wake(), this.#everyMs);
    this.#timer.unref();
  }
}
