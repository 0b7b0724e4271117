import { setTimeout as delay } from 'node:timers/promises';
import { isHeld } from './database-away.ts';

/** One piece of work in a batch and what answers it. */
interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
  isAnswered: boolean;
  /** When it came, in ms of the monotonic clock. */
  since: number;
}

/** What a batch says of an item that is nothing for it, and of which it has changed nothing. */
export const ALONE = Symbol('to be done alone');

/** How batches are worked off. */
export interface BatchWork<Item, Result> {
  /** Items of the same key never share a batch: the later one waits for the next. */
  keyOf(item: Item): string;
  /** Does a whole batch, in one commit or one look, and answers each item, in order. */
  run(items: Item[]): Promise<(Result | typeof ALONE)[]>;
  /**
   * Does one item that the batch left, beside the batches: it is refused, it needs more than the
   * others do, or someone holds its rows, and no one else shall wait for that.
   */
  alone?(item: Item): Promise<Result>;
  /** Items in one batch at most. */
  most: number;
  /**
   * How long to collect items before each batch, in ms. For work whose result no one is waiting for: a
   * commit costs the database as much for one item as for twenty.
   */
  gatherMs?: number;
  /** Whether a failure concerns everybody, so that trying the others one by one is only waiting. */
  isForAll?(error: unknown): boolean;
  /** Anyone who waited so long is refused with `tooSlow`; it may have been done all the same. */
  patience?: { ms: number; tooSlow(): Error };
  /** Told of each batch that was done and how long each of its items has waited. */
  onDone?(waitedMs: number[]): void;
  /** Told of each item that is refused. */
  onFailed?(): void;
}

const SWEEP_EVERY_MS = 500;
/** Each takes a connection of the pool, perhaps for as long as someone holds a row. */
const MOST_ALONE = 4;

/**
 * Group commit, and the same for looks at the database: what arrives while a batch is running goes
 * together into the next one. Unless `gatherMs` says otherwise there is no timer; when nothing is
 * running a batch starts at once (measured: the same peak rate as a fixed wait, at a twelfth of the
 * latency when there is little to do). One at a time, so that two items of one key can never overtake
 * each other; only those that are done alone can.
 *
 * A batch that fails is retried item by item, so that one bad item cannot fail the others. The
 * first of these tries that fails for everybody fails the rest of its batch with it. Where someone
 * held a row of one of them, they are done alone, so that no one behind them waits for it once more.
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
      this.#waiting.push({ item, resolve, reject, since, isAnswered: false });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when everything that was added before has been answered. */
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
      this.#inFlight = this.#takeBatch();
      if (this.#inFlight.length > 0) await this.#flush(this.#inFlight);
    }
    this.#inFlight = [];
    this.#running = undefined;
  }

  /**
   * A batch that hangs must not hold those who wait behind it longer than they can wait. One timer
   * that ends itself when nothing runs: one for each run would cost more than the rest of it.
   */
  #sweep(): void {
    const { patience } = this.#work;
    if (!patience) return;
    this.#sweeping ??= setInterval(() => {
      if (this.#isBusy) this.#refuseOld(patience.tooSlow, performance.now() - patience.ms);
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

  #takeBatch(): Waiting<Item, Result>[] {
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
      const results = await this.#work.run(batch.map((w) => w.item));
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
      if (!this.#work.alone) throw new Error('a batch left an item that nobody else takes');
      this.#answer(w, await this.#work.alone(w.item));
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
        const [result] = await this.#work.run([w.item]);
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
