import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { isHeld } from './database-away.ts';

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
  isAnswered: boolean;
  /** Runs something in the caller's context: a refusal is said in its language. */
  within: ReturnType<typeof AsyncLocalStorage.snapshot>;
  /** Time of arrival, in ms of the monotonic clock. */
  since: number;
}

/** The batch's result for an item that it does not handle and has not changed. */
export const ALONE = Symbol('to be done alone');

export interface BatchWork<Item, Result> {
  /** Items of the same key never share a batch: the later one waits for the next. */
  keyOf(item: Item): string;
  /** Does a whole batch, in one commit or one query, and answers each item, in order. */
  run(items: Item[]): Promise<(Result | typeof ALONE)[]>;
  /**
   * Does one item that the batch left, beside the batches: one that is refused, needs more than the
   * others, or waits for a locked row without delaying others.
   */
  alone?(item: Item): Promise<Result>;
  most: number;
  /**
   * How long to collect items before each batch, in ms; for work that is not awaited, as a commit costs
   * the database as much for one item as for twenty.
   */
  gatherMs?: number;
  /** Whether a failure affects all items, so that retrying the others is useless. */
  isForAll?(error: unknown): boolean;
  /** Items that waited so long are refused with `tooSlow`; they may have been done nevertheless. */
  timeout?: { ms: number; tooSlow(): Error };
  /** Called after each batch, with how long each of its items has waited. */
  onDone?(waitedMs: number[]): void;
  onFailed?(): void;
}

const SWEEP_EVERY_MS = 500;
/** Each takes a connection of the pool, perhaps for as long as a row is locked. */
const MOST_ALONE = 4;

/**
 * Group commit, and the same for queries: what arrives while a batch is running goes together into the
 * next one. Unless `gatherMs` is set there is no timer; when idle a batch starts at once (measured: the
 * same peak rate as a fixed wait, at a twelfth of the latency under low load). One batch at a time, so
 * that two items of one key never overtake each other, except items done alone.
 *
 * A batch that fails is retried item by item, so that one bad item cannot fail the others. The first
 * retry that fails for a reason affecting all fails the rest. When a row was locked, the items are done
 * alone, so that none waits for that lock twice.
 */
export class Batches<Item, Result> {
  readonly #work: BatchWork<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  #inFlight: Waiting<Item, Result>[] = [];
  #waitingAlone: Waiting<Item, Result>[] = [];
  readonly #alone = new Map<Waiting<Item, Result>, Promise<void>>();
  #sweeping: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(work: BatchWork<Item, Result>) {
    this.#work = work;
  }

  /** Resolves after the commit that holds the item; rejects when its own try failed. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const since = performance.now();
      const within = AsyncLocalStorage.snapshot();
      this.#waiting.push({ item, resolve, reject, since, isAnswered: false, within });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when everything added before has been answered. */
  async idle(): Promise<void> {
    while (this.#isBusy) await Promise.all([this.#running, ...this.#alone.values()]);
  }

  get #isBusy(): boolean {
    return this.#running !== undefined || this.#alone.size > 0;
  }

  async #run(): Promise<void> {
    this.#sweep();
    while (this.#waiting.length > 0) {
      if (this.#work.gatherMs !== undefined) await delay(this.#work.gatherMs);
      this.#inFlight = this.#claimBatch();
      if (this.#inFlight.length > 0) await this.#flush(this.#inFlight);
    }
    this.#inFlight = [];
    this.#running = undefined;
  }

  /**
   * A batch that hangs must not hold those behind it beyond their timeout. One timer that stops when
   * idle: one per run would cost more than everything else.
   */
  #sweep(): void {
    const { timeout } = this.#work;
    if (!timeout) return;
    this.#sweeping ??= setInterval(() => {
      if (this.#isBusy) this.#refuseOld(timeout.tooSlow, performance.now() - timeout.ms);
      else {
        clearInterval(this.#sweeping);
        this.#sweeping = undefined;
      }
    }, SWEEP_EVERY_MS).unref();
  }

  #refuseOld(tooSlow: () => Error, old: number): void {
    const all = [this.#inFlight, this.#waiting, [...this.#alone.keys()], this.#waitingAlone].flat();
    for (const w of all) {
      if (w.since <= old && !w.isAnswered) this.#refuse(w, tooSlow());
    }
    this.#waiting = this.#waiting.filter((w) => !w.isAnswered);
    this.#waitingAlone = this.#waitingAlone.filter((w) => !w.isAnswered);
  }

  #answer(w: Waiting<Item, Result>, result: Result): void {
    w.isAnswered = true;
    w.resolve(result);
  }

  #refuse(w: Waiting<Item, Result>, error: unknown): void {
    if (w.isAnswered) return;
    w.isAnswered = true;
    w.reject(error);
    this.#work.onFailed?.();
  }

  #claimBatch(): Waiting<Item, Result>[] {
    const batch: Waiting<Item, Result>[] = [];
    const keys = new Set<string>();
    this.#waiting = this.#waiting.filter((w) => {
      const key = this.#work.keyOf(w.item);
      if (batch.length >= this.#work.most || keys.has(key)) return true;
      keys.add(key);
      batch.push(w);
      return false;
    });
    return batch;
  }

  async #flush(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#runOf(batch);
      batch.forEach((w, i) => {
        this.#settle(w, results[i] as Result | typeof ALONE);
      });
      this.#note(batch.filter((_, i) => results[i] !== ALONE));
    } catch (error) {
      if (batch.length === 1 && batch[0]) this.#refuse(batch[0], error);
      else if (this.#work.alone && isHeld(error)) this.#leaveAlone(batch);
      else await this.#flushSingly(batch);
    }
  }

  #runOf(batch: Waiting<Item, Result>[]): Promise<(Result | typeof ALONE)[]> {
    const run = () => this.#work.run(batch.map((w) => w.item));
    return batch.length === 1 && batch[0] ? batch[0].within(run) : run();
  }

  #settle(w: Waiting<Item, Result>, result: Result | typeof ALONE): void {
    if (result === ALONE) this.#leaveAlone([w]);
    else this.#answer(w, result);
  }

  #leaveAlone(some: readonly Waiting<Item, Result>[]): void {
    this.#waitingAlone.push(...some.filter((w) => !w.isAnswered));
    this.#fillAlone();
  }

  #fillAlone(): void {
    while (this.#alone.size < MOST_ALONE) {
      const w = this.#waitingAlone.shift();
      if (!w) return;
      const done = this.#doAlone(w).finally(() => {
        this.#alone.delete(w);
        this.#fillAlone();
      });
      this.#alone.set(w, done);
    }
  }

  async #doAlone(w: Waiting<Item, Result>): Promise<void> {
    try {
      const { alone } = this.#work;
      if (!alone) throw new Error('a batch left an item without a way to do it alone');
      this.#answer(w, await w.within(() => alone.call(this.#work, w.item)));
      this.#note([w]);
    } catch (error) {
      this.#refuse(w, error);
    }
  }

  #note(batch: Waiting<Item, Result>[]): void {
    if (!this.#work.onDone || batch.length === 0) return;
    const now = performance.now();
    this.#work.onDone(batch.map((w) => now - w.since));
  }

  async #flushSingly(batch: Waiting<Item, Result>[]): Promise<void> {
    for (const [i, w] of batch.entries()) {
      if (w.isAnswered) continue;
      try {
        const [result] = await this.#runOf([w]);
        this.#settle(w, result as Result | typeof ALONE);
        if (result !== ALONE) this.#note([w]);
      } catch (error) {
        this.#refuse(w, error);
        if (!this.#work.isForAll?.(error)) continue;
        for (const other of batch.slice(i + 1)) this.#refuse(other, error);
        return;
      }
    }
  }
}
