/**
 * Tells once when something begins: `needs` of the last `of` looks say so. It has ended when `of`
 * looks in a row say no; only then, and after the cool-down, can it begin again. A look that cannot
 * tell changes nothing.
 */
export class Episode {
  readonly #rule: { needs: number; of: number; cooldownMs: number };
  #looks: boolean[] = [];
  #under = false;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(rule: { needs: number; of: number; cooldownMs: number }) {
    this.#rule = rule;
  }

  /** Whether it begins with this look. `at` in milliseconds. */
  look(seen: boolean | null, at: number): boolean {
    if (seen === null) return false;
    const { needs, of, cooldownMs } = this.#rule;
    this.#looks = [...this.#looks, seen].slice(-of);
    const count = this.#looks.filter(Boolean).length;
    if (this.#under && count === 0 && this.#looks.length === of) this.#under = false;
    if (this.#under || count < needs || at - this.#toldAt < cooldownMs) return false;
    this.#under = true;
    this.#toldAt = at;
    return true;
  }

  /** What was seen before a gap says nothing about what is seen after it. */
  forget(): void {
    this.#looks = [];
  }
}
