/** One piece of work in a batch and what answers it. */
interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** How a batch writer does its work. */
export interface BatchWork<Item, Result> {
  /** Items of the same key never share a batch: the later one waits for the next. */
  keyOf(item: Item): string;
  /** Writes a batch in one commit and answers each item, in order. */
  write(items: Item[]): Promise<Result[]>;
  /** Items in one batch at most. */
  most: number;
  /** Whether a failure concerns everybody, so that trying the others one by one is only waiting. */
  isForAll?(error: unknown): boolean;
}

/**
 * Group commit: what arrives while a write is running goes together into the next one. There is no
 * timer; when nothing is running a write starts at once (measured: the same peak rate as a fixed
 * wait, at a twelfth of the latency when there is little to do). One write at a time, so that two
 * items of one key can never overtake each other.
 *
 * A batch that fails is retried item by item, so that one bad item cannot fail the others. The
 * first of these tries that fails for everybody fails the rest of its batch with it.
 */
export class BatchWriter<Item, Result> {
  readonly #work: BatchWork<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  #running: Promise<void> | undefined;

  constructor(work: BatchWork<Item, Result>) {
    this.#work = work;
  }

  /** Resolves after the commit that holds the item; rejects when its own write failed. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when everything that was added before has been answered. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) await this.#flush(this.#takeBatch());
    this.#running = undefined;
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
      const results = await this.#work.write(batch.map((w) => w.item));
      batch.forEach((w, i) => {
        w.resolve(results[i] as Result);
      });
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      else await this.#flushSingly(batch);
    }
  }

  async #flushSingly(batch: Waiting<Item, Result>[]): Promise<void> {
    for (const [i, w] of batch.entries()) {
      try {
        const [result] = await this.#work.write([w.item]);
        w.resolve(result as Result);
      } catch (error) {
        w.reject(error);
        if (!this.#work.isForAll?.(error)) continue;
        for (const other of batch.slice(i + 1)) other.reject(error);
        return;
      }
    }
  }
}
