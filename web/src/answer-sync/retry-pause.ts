/** A wait that the return of the network ends early. */
export class RetryPause {
  #end: (() => void) | null = null;

  /** Resolves after `ms`, at `endNow`, or when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    // One that has aborted tells no one again.
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
