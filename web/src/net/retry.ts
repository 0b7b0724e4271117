import { REQUEST_LIMITS } from '@invigil/core/domain/limits';
import { inTime } from './api.ts';
import { mayPass } from './api-error.ts';

/** No usable answer this time: network, time-out, 429 or 5xx. `afterMs` is the server's Retry-After. */
export interface TryAgain {
  kind: 'try-again';
  afterMs: number | null;
}

/** milliseconds; product 8 */
const SHORTEST_MS = 1_000;
const LONGEST_MS = 15_000;
/**
 * How much of a Retry-After applies after the connection is back, milliseconds. Our server asks for two
 * seconds; a longer one comes from a proxy, which may be gone.
 */
const MAX_RETRY_AFTER_ONLINE_MS = 5_000;

/**
 * How long to wait after the n-th failure in a row (0 = first). Randomized over the whole range, so
 * that many browsers do not retry at the same moment after a server restart.
 *
 * @param retryAfterMs the server's Retry-After, a lower bound
 * @param random in [0, 1)
 */
export function retryDelayMs(
  failures: number,
  retryAfterMs: number | null = null,
  random = Math.random(),
): number {
  // Retry-After is the same for all clients: add up to a second of jitter.
  if (retryAfterMs !== null) return Math.round(retryAfterMs + random * SHORTEST_MS);
  const ceiling = Math.min(LONGEST_MS, 2 * SHORTEST_MS * 2 ** Math.min(failures, 10));
  return Math.round(SHORTEST_MS + random * (ceiling - SHORTEST_MS));
}

/**
 * One request with the timeout of product 8. A request that never returns, or is aborted with `signal`,
 * counts as a temporary failure.
 */
export async function timedRequest<T>(
  call: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T | TryAgain> {
  if (signal.aborted) return { kind: 'try-again', afterMs: null };
  const request = new AbortController();
  const abort = () => request.abort();
  const late = new Promise<TryAgain>((resolve) => {
    request.signal.addEventListener('abort', () => resolve({ kind: 'try-again', afterMs: null }));
  });
  const timer = setTimeout(abort, REQUEST_LIMITS.timeoutMs);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([call(request.signal), late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** milliseconds */
const READ_AGAIN_MS = 3_000;

/**
 * Reads something with the timeout of product 8, and again after what may pass. Returns what ends it.
 */
export function readUntilThere<T>(
  read: (signal: AbortSignal) => Promise<T>,
  on: { read(found: T): void; failed?(cause: unknown): void },
): () => void {
  const over = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tryOnce = async () => {
    try {
      const found = await read(inTime(over.signal));
      if (!over.signal.aborted) on.read(found);
    } catch (cause) {
      if (over.signal.aborted) return;
      on.failed?.(cause);
      if (mayPass(cause)) timer = setTimeout(() => void tryOnce(), READ_AGAIN_MS);
    }
  };
  void tryOnce();
  return () => {
    over.abort();
    clearTimeout(timer);
  };
}

/** A pause that whoever made it can end early. */
export class RetryPause {
  #end: (() => void) | null = null;

  /** Resolves after `ms`, at `endNow`, or when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    // An aborted signal fires no event.
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', finish);
        this.#end = null;
        resolve();
      };
      const timer = setTimeout(finish, ms);
      signal.addEventListener('abort', finish);
      this.#end = finish;
    });
  }

  endNow(): void {
    this.#end?.();
  }
}

/** A pause that ends early once the browser says that it is online again, or when the signal aborts. */
export async function pauseUntilOnline(
  ms: number,
  signal = new AbortController().signal,
): Promise<void> {
  const pause = new RetryPause();
  const over = new AbortController();
  addEventListener('online', () => pause.endNow(), over);
  await pause.wait(ms, signal);
  over.abort();
}

/** The items of a queue and the order in which it sends them. */
export interface QueueRules<T, O> {
  /** The next item to send; `null` if there is none. Asked before each request. */
  next(): T | null;
  /** One request; never rejects. */
  send(item: T, signal: AbortSignal): Promise<O | TryAgain>;
  /** Applies an outcome. What it returns is tried again after a pause; after `null` the next one follows. */
  settle(item: T, outcome: O | TryAgain): TryAgain | null;
  /** Milliseconds before the next try after the n-th failure in a row (0 = first). */
  delayMs?(failures: number, afterMs: number | null): number;
  onChange?(): void;
}

/** Sends one request at a time, until nothing is left, and again with back-off after a failure. */
export class RetryQueue<T, O> {
  readonly #rules: QueueRules<T, O>;
  readonly #over = new AbortController();
  #isSending = false;
  #isPaused = false;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** End of the server's Retry-After, which `retryNow` respects too. Milliseconds, monotonic. */
  #notBefore = 0;
  readonly #idleWaiters: (() => void)[] = [];

  constructor(rules: QueueRules<T, O>) {
    this.#rules = rules;
  }

  get failures(): number {
    return this.#failures;
  }

  /** There is something to send. No-op during a request or a pause, after which it is sent anyway. */
  start(): void {
    if (!this.#isSending) void this.#run();
  }

  /** Skips the back-off when the network or the page is back. */
  retryNow(): void {
    if (this.#timer === undefined || performance.now() < this.#notBefore) return;
    this.#clearTimer();
    this.start();
  }

  /** Starts no new request; the one in flight may finish. */
  pause(): void {
    this.#isPaused = true;
    this.#clearTimer();
  }

  resume(): void {
    this.#isPaused = false;
    this.start();
  }

  /** Resolves when nothing is in flight or follows at once. */
  idle(): Promise<void> {
    if (!this.#isSending) return Promise.resolve();
    return new Promise((resolve) => this.#idleWaiters.push(resolve));
  }

  stop(): void {
    this.#clearTimer();
    this.#over.abort();
  }

  async #run(): Promise<void> {
    this.#isSending = true;
    const { send, settle, onChange } = this.#rules;
    try {
      for (let item = this.#next(); item !== null; item = this.#next()) {
        const sent = item;
        const outcome = await timedRequest((signal) => send(sent, signal), this.#over.signal);
        if (this.#over.signal.aborted) return;
        const again = settle(sent, outcome);
        if (again === null) this.#failures = 0;
        else this.#later(again);
        onChange?.();
      }
    } finally {
      this.#isSending = false;
      for (const resolve of this.#idleWaiters.splice(0)) resolve();
    }
  }

  #next(): T | null {
    const isHeld = this.#isPaused || this.#timer !== undefined || this.#over.signal.aborted;
    return isHeld ? null : this.#rules.next();
  }

  #later({ afterMs }: TryAgain): void {
    const { delayMs = retryDelayMs } = this.#rules;
    const delay = delayMs(this.#failures, afterMs);
    this.#failures += 1;
    this.#notBefore = performance.now() + Math.min(afterMs ?? 0, MAX_RETRY_AFTER_ONLINE_MS);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.start();
    }, delay);
  }

  #clearTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/**
 * Reports when the page may be closing and when it is back. `visibilitychange` to hidden is the last
 * event that phones send reliably; `pagehide` covers navigation and closing on computers.
 */
export function watchPage(on: { leaving?(): void; back(): void }, signal: AbortSignal): void {
  const back = () => on.back();
  const leaving = () => on.leaving?.();
  window.addEventListener('online', back, { signal });
  window.addEventListener('pageshow', back, { signal });
  window.addEventListener('pagehide', leaving, { signal });
  document.addEventListener(
    'visibilitychange',
    () => (document.visibilityState === 'hidden' ? leaving() : back()),
    { signal },
  );
}
