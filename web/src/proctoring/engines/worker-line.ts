import type { WorkerLike, WorkerWord } from './worker-messages.ts';

/** After this long without an answer the worker is taken for dead. */
const CALL_TIMEOUT_MS = 5_000;
/**
 * While a worker loads its files: as long without a single byte. After the last one it compiles them,
 * which takes a cheap machine many seconds.
 */
const QUIET_LOADING_MS = 40_000;
/** How often a worker is begun again before its engine is given up. */
const RESTARTS = 3;
/** Before a worker that could not even begin is followed by another: the network may be away. */
const BEGIN_AGAIN_MS = [2_000, 8_000, 20_000] as const;
/** How often an offline browser is asked whether it is online again. */
const OFFLINE_LOOK_MS = 2_000;
/** After this many good answers in a row earlier failures are forgotten: it was a bad moment. */
const GOOD_CALLS_TO_FORGIVE = 60;

export interface WorkerLineOptions<T> {
  /** Starts a worker. May throw: then it counts as a failure. */
  spawn(): WorkerLike;
  /** The first call of every worker: load what you need. */
  begin: T;
  onLoaded?: (bytes: number) => void;
  /** The engine is given up: every later call is refused. */
  onGivenUp?: () => void;
  /** A worker is ready: the first one, and each one begun again. */
  onReady?: (worker: WorkerLike) => void;
}

interface Waiting {
  id: number;
  resolve(value: unknown): void;
  reject(error: Error): void;
  timer: ReturnType<typeof setTimeout>;
  quietMs: number;
}

/**
 * A worker and the one call that is under way; others wait. A call that fails or takes longer than
 * five seconds ends the worker, and a new one is begun, at most three times; a wasm engine that has
 * failed once cannot be trusted again. What could not begin is begun again after a pause.
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

  /** Starts the worker. Ends when it is ready, or given up. */
  async open(): Promise<void> {
    if (this.#state !== 'idle') return;
    await this.#begin();
  }

  /** Sends a call after the ones before it. Rejects when no worker is ready, or it fails. */
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
      if (this.#state === 'ready') void this.#again();
      throw error;
    }
  }

  /** The worker is known to be dead without a call, for example because it fell silent. */
  restart(): void {
    if (this.#state === 'ready') void this.#again();
  }

  /** Ends the worker for good. */
  close(): void {
    this.#state = 'closed';
    this.#drop('closed');
  }

  async #again(pauses: readonly number[] = []): Promise<void> {
    this.#drop('restarted');
    this.#goodCalls = 0;
    if (this.#restarts >= RESTARTS) {
      this.#state = 'given-up';
      this.#options.onGivenUp?.();
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
      worker.onmessage = ({ data }) => this.#heard(worker, data);
      worker.onerror = () => this.#failed(worker, 'the worker failed');
      await this.#send(this.#options.begin, [], QUIET_LOADING_MS);
      this.#state = 'ready';
      this.#options.onReady?.(worker);
    } catch {
      if (this.#state !== 'beginning') return;
      if (navigator.onLine === false) await this.#beginOnline();
      else await this.#again(BEGIN_AGAIN_MS);
    }
  }

  /** Without a network nothing can be loaded, which says nothing about the engine. */
  async #beginOnline(): Promise<void> {
    this.#drop('offline');
    while (navigator.onLine === false && this.#state === 'beginning') {
      await new Promise((resolve) => setTimeout(resolve, OFFLINE_LOOK_MS));
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

  #heard(worker: WorkerLike, word: WorkerWord<R>): void {
    if (worker !== this.#worker) return;
    if ('loadedBytes' in word) {
      this.#options.onLoaded?.(word.loadedBytes);
      if (this.#waiting !== null) {
        clearTimeout(this.#waiting.timer);
        this.#waiting.timer = this.#timer(this.#waiting.quietMs);
      }
      return;
    }
    if (word.id !== this.#waiting?.id) return;
    const waiting = this.#settle();
    if ('error' in word) waiting?.reject(new Error(word.error));
    else waiting?.resolve(word.value);
  }

  #failed(worker: WorkerLike, why: string): void {
    if (worker !== this.#worker) return;
    const waiting = this.#settle();
    if (waiting !== null) waiting.reject(new Error(why));
    else this.restart();
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
