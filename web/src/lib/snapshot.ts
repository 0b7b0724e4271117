/** State outside React that screens follow: `subscribe` and `getSnapshot` fit useSyncExternalStore. */
export class SnapshotStore<T extends object> {
  readonly #listeners = new Set<() => void>();
  #snapshot: T;

  constructor(initial: T) {
    this.#snapshot = initial;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  getSnapshot = (): T => this.#snapshot;

  protected get snapshot(): T {
    return this.#snapshot;
  }

  /** Called before the listeners. */
  protected onUpdate?(before: T): void;

  protected update(change: Partial<T>): void {
    const before = this.#snapshot;
    this.#snapshot = { ...before, ...change };
    this.onUpdate?.(before);
    for (const listener of this.#listeners) listener();
  }
}
