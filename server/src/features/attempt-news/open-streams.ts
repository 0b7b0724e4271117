import type { EventStream } from './event-stream.ts';

/** A page has one; after a reload or a change of network an older one lingers for a while. */
const MAX_PER_SESSION = 3;

/** The event streams of this process, by the session that reads them and, for some, their kind. */
export class OpenStreams {
  readonly #bySession = new Map<string, Set<EventStream>>();
  #hasEnded = false;

  get count(): number {
    let n = 0;
    for (const own of this.#bySession.values()) n += own.size;
    return n;
  }

  /**
   * Beyond `max` per session the new stream replaces the oldest. One that is added while the
   * server shuts down ends at once.
   */
  add(sessionId: string, stream: EventStream, max = MAX_PER_SESSION): void {
    if (this.#hasEnded) {
      // On the next tick: the caller has not yet set up what the end cleans up.
      process.nextTick(() => stream.end());
      return;
    }
    const own = this.#bySession.get(sessionId) ?? new Set();
    const [oldest] = own;
    if (oldest && own.size >= max) oldest.end();
    this.#bySession.set(sessionId, own.add(stream));
  }

  delete(sessionId: string, stream: EventStream): void {
    const own = this.#bySession.get(sessionId);
    own?.delete(stream);
    if (own?.size === 0) this.#bySession.delete(sessionId);
  }

  /** A shutdown does not wait for open streams. */
  endAll(): void {
    this.#hasEnded = true;
    for (const own of [...this.#bySession.values()]) for (const stream of [...own]) stream.end();
  }
}
