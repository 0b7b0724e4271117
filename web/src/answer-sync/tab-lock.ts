/** The part of `navigator.locks` that is needed; browsers without it have no second-tab check. */
export interface Locks {
  request(
    name: string,
    options: { steal?: boolean; signal?: AbortSignal },
    held: () => Promise<void>,
  ): Promise<unknown>;
}

/**
 * `asking` for a moment at the start, so that a reload, whose old page still lets go of the lock,
 * does not flash a notice. `elsewhere`: another tab has the attempt.
 */
export type TabState = 'asking' | 'mine' | 'elsewhere';

/** milliseconds a reload may need to let go of the lock */
const TIMEOUT_MS = 600;

/**
 * One tab of this browser saves an attempt (product 4.3). A second one waits in line behind it: it
 * gets the lock when the first is closed, or at once when the candidate takes over.
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

  /** Asks for the lock and stays in line for it. */
  start(): void {
    if (this.#locks === undefined) return this.#become('mine');
    this.#request({ steal: false });
    const timer = setTimeout(() => {
      if (this.#state === 'asking') this.#become('elsewhere');
    }, TIMEOUT_MS);
    this.#signal.addEventListener('abort', () => clearTimeout(timer));
  }

  /** Takes the lock away from the tab that has it; that tab is told. */
  takeOver(): void {
    if (this.#state === 'mine') return;
    // Out of the line first: a request that steals does not wait in it.
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
        // Stolen by another tab, or out of the line because this one stole it.
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
