/** A request to a worker; it answers each one with the same number. */
export interface WorkerCall<T> {
  id: number;
  call: T;
}

/** A message from a worker: an answer, a failure, or the bytes loaded so far. */
export type WorkerMessage<R> =
  | { id: number; value: R }
  | { id: number; error: string }
  | { loadedBytes: number };

/** The used part of `Worker`; tests replace it. */
export interface WorkerLike {
  postMessage(message: unknown, transfer: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** A worker without an answer for this long is considered dead. */
const CALL_TIMEOUT_MS = 5_000;
/**
 * The same while a worker loads its files: time without a single byte. It includes compilation after
 * the last byte, which takes a slow machine many seconds.
 */
const QUIET_LOADING_MS = 40_000;
/** Restarts of a worker before its engine is given up. */
const RESTARTS = 3;
/** Pauses before a worker that could not start is restarted: the network may be down. */
const RESTART_PAUSES_MS = [2_000, 8_000, 20_000] as const;
/** How often an offline browser is polled for being online. */
const OFFLINE_POLL_MS = 2_000;
/** After this many good answers in a row the restart count is reset. */
const GOOD_CALLS_TO_FORGIVE = 60;

export interface WorkerLineOptions<T> {
  /** Starts a worker. May throw: then it counts as a failure. */
  spawn(): WorkerLike;
  /** The first call of every worker: loads its files. */
  begin: T;
  onLoaded?: (bytes: number) => void;
  /** A worker is ready: the first one and each restarted one. */
  onReady?: () => void;
}

interface Waiting {
  id: number;
  resolve(value: unknown): void;
  reject(error: Error): void;
  timer: ReturnType<typeof setTimeout>;
  quietMs: number;
}

/**
 * A worker with one call in flight; others are queued. A call that fails or takes longer than five
 * seconds terminates the worker, since a wasm engine that failed once cannot be trusted. It is
 * restarted at most three times, after a pause if it could not start.
 */
export class WorkerLine<T, R> {
  readonly #options: WorkerLineOptions<T>;
  #worker: WorkerLike | null = null;
  #waiting: Waiting | null = null;
  #state: 'idle' | 'beginning' | 'ready' | 'given-up' | 'closed' = 'idle';
  #restarts = 0;
  #goodCalls = 0;
  #lastId = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: WorkerLineOptions<T>) {
    this.#options = options;
  }

  get state() {
    return this.#state;
  }

  async open(): Promise<void> {
    if (this.#state !== 'idle') return;
    await this.#begin();
  }

  /** Queues a call. Rejects if it fails or no worker is ready. */
  call(call: T, transfer: Transferable[] = []): Promise<R> {
    const answer = this.#last.then(() => this.#callNow(call, transfer));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #callNow(call: T, transfer: Transferable[]): Promise<R> {
    if (this.#state !== 'ready') throw new Error('not ready');
    try {
      const value = await this.#send(call, transfer, CALL_TIMEOUT_MS);
      this.#goodCalls += 1;
      if (this.#goodCalls >= GOOD_CALLS_TO_FORGIVE) this.#restarts = 0;
      return value;
    } catch (error) {
      if (this.#state === 'ready') void this.#restart();
      throw error;
    }
  }

  close(): void {
    this.#state = 'closed';
    this.#drop('closed');
  }

  async #restart(pauses: readonly number[] = []): Promise<void> {
    this.#drop('restarted');
    this.#goodCalls = 0;
    if (this.#restarts >= RESTARTS) {
      this.#state = 'given-up';
      return;
    }
    const pauseMs = pauses[this.#restarts];
    this.#restarts += 1;
    if (pauseMs !== undefined) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (this.#state !== 'closed') await this.#begin();
  }

  async #begin(): Promise<void> {
    this.#state = 'beginning';
    try {
      const worker = this.#options.spawn();
      this.#worker = worker;
      worker.onmessage = ({ data }) => this.#receive(worker, data);
      worker.onerror = () => this.#failed(worker);
      await this.#send(this.#options.begin, [], QUIET_LOADING_MS);
      this.#state = 'ready';
      this.#options.onReady?.();
    } catch {
      if (this.#state !== 'beginning') return;
      if (navigator.onLine === false) await this.#beginOnline();
      else await this.#restart(RESTART_PAUSES_MS);
    }
  }

  /** Being offline is no failure of the engine: wait for the network, then start. */
  async #beginOnline(): Promise<void> {
    this.#drop('offline');
    while (navigator.onLine === false && this.#state === 'beginning') {
      await new Promise((resolve) => setTimeout(resolve, OFFLINE_POLL_MS));
    }
    if (this.#state === 'beginning') await this.#begin();
  }

  #send(call: T, transfer: Transferable[], quietMs: number): Promise<R> {
    const worker = this.#worker;
    if (worker === null) return Promise.reject(new Error('not ready'));
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise<R>((resolve, reject) => {
      const timer = this.#timer(quietMs);
      this.#waiting = { id, resolve: resolve as (value: unknown) => void, reject, timer, quietMs };
      worker.postMessage({ id, call }, transfer);
    });
  }

  #timer(ms: number) {
    return setTimeout(() => this.#settle()?.reject(new Error('no answer in time')), ms);
  }

  #receive(worker: WorkerLike, message: WorkerMessage<R>): void {
    if (worker !== this.#worker) return;
    if ('loadedBytes' in message) {
      this.#options.onLoaded?.(message.loadedBytes);
      if (this.#waiting !== null) {
        clearTimeout(this.#waiting.timer);
        this.#waiting.timer = this.#timer(this.#waiting.quietMs);
      }
      return;
    }
    if (message.id !== this.#waiting?.id) return;
    const waiting = this.#settle();
    if ('error' in message) waiting?.reject(new Error(message.error));
    else waiting?.resolve(message.value);
  }

  #failed(worker: WorkerLike): void {
    if (worker !== this.#worker) return;
    const waiting = this.#settle();
    if (waiting !== null) waiting.reject(new Error('the worker failed'));
    else if (this.#state === 'ready') void this.#restart();
  }

  #drop(why: string): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#settle()?.reject(new Error(why));
  }

  #settle(): Waiting | null {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting !== null) clearTimeout(waiting.timer);
    return waiting;
  }
}
