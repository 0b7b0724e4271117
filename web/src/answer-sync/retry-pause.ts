/** A pause that ends early when the network is back. */
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
