/** How soon typed text is stored on this device, milliseconds: what a crash of the browser can cost. */
const STORE_AFTER_MS = 250;
/** How soon it is sent while the candidate types on: one request for many keystrokes. */
const SEND_AFTER_MS = 2_000;

/**
 * Groups the keystrokes of one question: `store` and `send` run once for all of them, at the latest so
 * long after the first, however fast the others follow.
 */
export class TypingPause {
  readonly #on: { store(questionId: string): void; send(questionId: string): void };
  #questionId: string | null = null;
  #storing: ReturnType<typeof setTimeout> | undefined;
  #sending: ReturnType<typeof setTimeout> | undefined;

  constructor(on: { store(questionId: string): void; send(questionId: string): void }) {
    this.#on = on;
  }

  /** A keystroke. Another question's text does not wait any longer. */
  typed(questionId: string): void {
    if (this.#questionId !== questionId) this.end();
    this.#questionId = questionId;
    this.#storing ??= setTimeout(() => {
      this.#storing = undefined;
      this.#on.store(questionId);
    }, STORE_AFTER_MS);
    this.#sending ??= setTimeout(() => this.end(), SEND_AFTER_MS);
  }

  /** Stores and sends what was typed now. */
  end(): void {
    const questionId = this.#questionId;
    clearTimeout(this.#storing);
    clearTimeout(this.#sending);
    this.#storing = undefined;
    this.#sending = undefined;
    this.#questionId = null;
    if (questionId !== null) this.#on.send(questionId);
  }
}
