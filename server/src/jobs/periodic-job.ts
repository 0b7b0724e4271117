import type { Logger } from 'pino';

/** One run of a job; the signal asks it to end soon. */
export type Task = (signal: AbortSignal) => Promise<unknown>;

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
