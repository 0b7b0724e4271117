import type { ErrorCode } from '@invigil/core/contract/definition/errors';
import { WORK_LIMITS } from '@invigil/core/domain/limits';
import { AppError } from './app-error.ts';

/** The origin of work: a person or a network, and a signal for when no one waits for it any more. */
export interface Sender {
  caller: string;
  /** Aborts when the sender has left. */
  signal: AbortSignal;
}

/** A place at work. It is given back once, when it is first disposed of. */
export interface Place extends Disposable {
  /** Ends the work. */
  readonly signal: AbortSignal;
}

interface QueueLimits {
  /** Work at the same time; 1 when absent: the processors are the candidates'. */
  atOnce?: number;
  /** Work that may wait for a place. */
  waiting: number;
  /** Work of one caller, running or waiting. */
  perCaller: number;
  code?: ErrorCode;
}

/**
 * Work that may not take all processors at once. It waits in a line that is bounded, in all and for each
 * caller, and callers take turns, so that no one can fill it for everyone. Work whose sender has left is
 * dropped from the line with all that it holds, and ended by its signal where it has begun. A place stays
 * taken until the work has ended, and some time longer where its sender has left.
 *
 * Throws UNAVAILABLE (or the code of the queue) beyond its limits, after waiting for too long, and for a
 * sender who has left.
 */
export class WorkQueue {
  readonly #limits: QueueLimits;
  readonly #line: { caller: string; begin(): void }[] = [];
  readonly #placesOf = new Map<string, number>();
  readonly #shared = new Map<string, { result: Promise<unknown>; join(sender: Sender): void }>();
  #working = 0;
  #latest: string | undefined;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** Work that waits or is being done. */
  get size(): number {
    return this.#line.length + this.#working;
  }

  /** Waits for a place. */
  async enter({ caller, signal }: Sender): Promise<Place> {
    const { atOnce = 1, waiting, perCaller } = this.#limits;
    signal.throwIfAborted();
    const places = this.#placesOf.get(caller) ?? 0;
    const isFull = this.#working >= atOnce && this.#line.length >= waiting;
    if (isFull || places >= perCaller) throw this.#busy();
    this.#placesOf.set(caller, places + 1);
    if (this.#working < atOnce) this.#begin(caller);
    else await this.#turnOf({ caller, signal });
    // It may have left while its turn was coming.
    if (signal.aborted) this.#end(caller);
    signal.throwIfAborted();
    let isHeld = true;
    const began = performance.now();
    const giveBack = () => {
      if (!isHeld) return;
      isHeld = false;
      if (!signal.aborted) return this.#end(caller);
      // Someone who leaves again and again would keep a processor busy for nothing.
      const rest = WORK_LIMITS.restFactor * (performance.now() - began);
      setTimeout(() => this.#end(caller), Math.min(rest, WORK_LIMITS.restMaxMs)).unref();
    };
    return { signal, [Symbol.dispose]: giveBack };
  }

  /**
   * Does work in a place. With a key, all who ask for it while it waits share it, and it is for nobody once
   * the last of them has left. Work that has begun is not shared: it may have read what has changed since.
   */
  async run<T>(
    sender: Sender,
    work: (signal: AbortSignal) => Promise<T>,
    key?: string,
  ): Promise<T> {
    if (key === undefined) {
      using place = await this.enter(sender);
      return await work(place.signal);
    }
    sender.signal.throwIfAborted();
    const shared = this.#shared.get(key) ?? this.#share(key, sender.caller, work);
    shared.join(sender);
    return (await whileWaiting(sender.signal, shared.result)) as T;
  }

  #share<T>(key: string, caller: string, work: (signal: AbortSignal) => Promise<T>) {
    const forNobody = new AbortController();
    let senders = 0;
    const close = () => {
      if (this.#shared.get(key) === shared) this.#shared.delete(key);
    };
    const result = this.run({ caller, signal: forNobody.signal }, (signal) => {
      close();
      return work(signal);
    });
    const shared = {
      result,
      join({ signal }: Sender) {
        senders += 1;
        const leave = () => {
          senders -= 1;
          if (senders > 0) return;
          close();
          forNobody.abort(signal.reason);
        };
        signal.addEventListener('abort', leave, { once: true });
        result.then(done, done);
        function done() {
          signal.removeEventListener('abort', leave);
        }
      },
    };
    this.#shared.set(key, shared);
    result.then(close, close);
    return shared;
  }

  /** The end of the wait; rejects for a sender who leaves, or waits for too long. */
  async #turnOf({ caller, signal }: Sender): Promise<void> {
    const turn = Promise.withResolvers<void>();
    const waiting = { caller, begin: turn.resolve };
    const leave = (why: unknown) => {
      const at = this.#line.indexOf(waiting);
      if (at < 0) return;
      this.#line.splice(at, 1);
      this.#release(caller);
      turn.reject(why);
    };
    const onAbort = () => leave(signal.reason);
    this.#line.push(waiting);
    signal.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => leave(this.#busy()), WORK_LIMITS.waitMaxMs).unref();
    try {
      await turn.promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  #begin(caller: string): void {
    this.#working += 1;
    this.#latest = caller;
  }

  #end(caller: string): void {
    this.#working -= 1;
    this.#release(caller);
    const other = this.#line.findIndex((one) => one.caller !== this.#latest);
    const [next] = this.#line.splice(Math.max(0, other), 1);
    if (!next) return;
    this.#begin(next.caller);
    next.begin();
  }

  #release(caller: string): void {
    const places = (this.#placesOf.get(caller) ?? 0) - 1;
    if (places > 0) this.#placesOf.set(caller, places);
    else this.#placesOf.delete(caller);
  }

  #busy(): AppError {
    const retryAfterSeconds = WORK_LIMITS.againAfterSeconds;
    return new AppError(this.#limits.code ?? 'UNAVAILABLE', { retryAfterSeconds });
  }
}

/** The result, or a rejection as soon as the signal aborts. */
async function whileWaiting<T>(signal: AbortSignal, result: Promise<T>): Promise<T> {
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([result, left.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

/** The queues of a process, by what is waited for; everything that takes long and is not a candidate's. */
export function openWorkQueues() {
  return {
    /** Images that are converted. */
    images: new WorkQueue(WORK_LIMITS.images),
    /** Files of questions and people that are read or written in a process of their own. */
    files: new WorkQueue({ ...WORK_LIMITS.files, code: 'IMPORT_BUSY' }),
    statistics: new WorkQueue(WORK_LIMITS.statistics),
    /** Certificates that are printed, for anyone who knows a number. */
    prints: new WorkQueue(WORK_LIMITS.prints),
    /** Certificates that are checked, by anyone. */
    checks: new WorkQueue(WORK_LIMITS.checks),
  };
}

export type WorkQueues = ReturnType<typeof openWorkQueues>;
