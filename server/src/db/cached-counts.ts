/** Number of attempts from which figures over all of them may be some seconds old. */
const MANY = 50_000;
const KEPT_MS = 5_000;
const MOST_KEPT = 500;

interface Kept {
  value: Promise<unknown>;
  /** Milliseconds of the monotonic clock. */
  until: number;
}

/**
 * Figures over all attempts, whose cost grows with them: a second of processor time for a dashboard over
 * a million. Below `MANY` each is read again, so that changes show at once. Above, one read serves all
 * requests for some seconds.
 */
export class CachedCounts {
  readonly #kept = new Map<string, Kept>();

  /** A figure that returns the number it covers, which decides whether it is cached. */
  count(key: string, compute: () => Promise<number>): Promise<number> {
    return this.#read(key, compute, (n) => n);
  }

  /** A figure over `attempts` of them. */
  over<T>(attempts: number, key: string, compute: () => Promise<T>): Promise<T> {
    return this.#read(key, compute, () => attempts, attempts >= MANY);
  }

  async #read<T>(
    key: string,
    compute: () => Promise<T>,
    howMany: (value: T) => number,
    coversMany = false,
  ): Promise<T> {
    const kept = this.#kept.get(key);
    if (kept && performance.now() < kept.until) return kept.value as Promise<T>;
    const reading = compute();
    // It covers many, or did recently: concurrent requests wait for the same read.
    if (kept || coversMany) this.#keep(key, reading, Number.POSITIVE_INFINITY);
    try {
      const value = await reading;
      if (howMany(value) >= MANY) this.#keep(key, reading, performance.now() + KEPT_MS);
      else this.#kept.delete(key);
      return value;
    } catch (error) {
      this.#kept.delete(key);
      throw error;
    }
  }

  #keep(key: string, value: Promise<unknown>, until: number): void {
    this.#kept.delete(key);
    this.#kept.set(key, { value, until });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
}
