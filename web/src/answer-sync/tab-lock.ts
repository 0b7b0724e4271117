/** The used part of `navigator.locks`; browsers without it have no second-tab check. */
export interface Locks {
  request(
    name: string,
    options: { steal?: boolean; signal?: AbortSignal },
    held: () => Promise<void>,
  ): Promise<unknown>;
}

/**
 * `asking` briefly at the start, so that a reload, whose old page has yet to release the lock, does not
 * flash a notice. `elsewhere`: another tab has the attempt.
 */
export type TabState = 'asking' | 'mine' | 'elsewhere';

/** milliseconds a reload may need to release the lock */
const TIMEOUT_MS = 600;

/**
 * Only one tab of a browser saves an attempt (product 4.3). A second one is queued: it gets the lock
 * when the first is closed, or at once when the candidate takes over.
 */
export class TabLock {
  readonly #locks: Locks | undefined;
  readonly #name: string;
  readonly #onState: (state: TabState) => void;
  readonly #signal: AbortSignal;
  #state: TabState = 'asking';
  #waiting: AbortController | null = null;

  constructor(deps: {
    locks: Locks | undefined;
    name: string;
    signal: AbortSignal;
    onState(state: TabState): void;
  }) {
    this.#locks = deps.locks;
    this.#name = deps.name;
    this.#signal = deps.signal;
    this.#onState = deps.onState;
  }

  start(): void {
    if (this.#locks === undefined) return this.#become('mine');
    this.#request({ steal: false });
    const timer = setTimeout(() => {
      if (this.#state === 'asking') this.#become('elsewhere');
    }, TIMEOUT_MS);
    this.#signal.addEventListener('abort', () => clearTimeout(timer));
  }

  /** Steals the lock from the tab that has it, which is notified. */
  takeOver(): void {
    if (this.#state === 'mine') return;
    // Leave the queue first: a request that steals is not queued.
    this.#waiting?.abort();
    this.#request({ steal: true });
  }

  #request({ steal }: { steal: boolean }): void {
    if (this.#locks === undefined || this.#signal.aborted) return;
    const waiting = new AbortController();
    this.#waiting = waiting;
    // `steal` and `signal` exclude each other in the specification.
    const options = steal ? { steal } : { signal: waiting.signal };
    const released = new Promise<void>((resolve) => {
      this.#signal.addEventListener('abort', () => resolve());
    });
    this.#signal.addEventListener('abort', () => waiting.abort());
    this.#locks
      .request(this.#name, options, () => {
        this.#become('mine');
        return released;
      })
      .catch(() => {
        // Stolen by another tab, or aborted because this tab steals it.
        if (this.#signal.aborted || waiting.signal.aborted) return;
        this.#become('elsewhere');
        this.#request({ steal: false });
      });
  }

  #become(state: TabState): void {
    if (this.#signal.aborted || this.#state === state) return;
    this.#state = state;
    this.#onState(state);
  }
}
