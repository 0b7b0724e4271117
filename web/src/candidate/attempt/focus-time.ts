import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';

/** The longest time between two looks in which the page was awake, milliseconds. */
const AWAKE_MS = 2_000;

/**
 * How long each question was in view with the page in front. It is for the statistics of questions, and
 * nothing else depends on it.
 */
export class FocusTime {
  readonly #ms: number[] = [];
  #lookedAt = performance.now();

  /** @param shown the place on the paper, from 0, of the question that is on the screen since the last look */
  look(shown: number | null): void {
    const now = performance.now();
    const passed = now - this.#lookedAt;
    this.#lookedAt = now;
    if (shown === null || passed > AWAKE_MS || document.hidden || !document.hasFocus()) return;
    this.#ms[shown] = (this.#ms[shown] ?? 0) + passed;
  }

  /** Whole seconds, by the place on the paper; `undefined`: no question was in view, or one after too many. */
  get seconds(): number[] | undefined {
    if (this.#ms.length === 0 || this.#ms.length > ATTEMPT_LIMITS.focusedQuestionsMax) {
      return undefined;
    }
    return Array.from(this.#ms, (ms = 0) => Math.round(ms / 1_000));
  }
}
