/**
 * Debounces samples: an episode begins when `needs` of the last `of` samples are positive, and ends
 * after `of` negative samples in a row; only then, and after the cool-down, can the next one begin.
 * An inconclusive sample changes nothing.
 */
export class Episode {
  readonly #rule: { needs: number; of: number; cooldownMs: number };
  #samples: boolean[] = [];
  #active = false;
  #beganAt = Number.NEGATIVE_INFINITY;

  constructor(rule: { needs: number; of: number; cooldownMs: number }) {
    this.#rule = rule;
  }

  /** Whether an episode begins with this sample. `at` in milliseconds. */
  add(seen: boolean | null, at: number): boolean {
    if (seen === null) return false;
    const { needs, of, cooldownMs } = this.#rule;
    this.#samples = [...this.#samples, seen].slice(-of);
    const count = this.#samples.filter(Boolean).length;
    if (this.#active && count === 0 && this.#samples.length === of) this.#active = false;
    if (this.#active || count < needs || at - this.#beganAt < cooldownMs) return false;
    this.#active = true;
    this.#beganAt = at;
    return true;
  }

  /** Drops the samples before a gap. */
  forget(): void {
    this.#samples = [];
  }
}
