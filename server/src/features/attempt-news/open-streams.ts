import type { EventStream } from './event-stream.ts';

/** A page has one; a reload or a change of networks leaves an older one behind for a while. */
const MOST_PER_SESSION = 3;

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
   * Beyond a few of one session the oldest is ended for the new one. One that comes while the server
   * stops is ended at once.
   */
  add(sessionId: string, stream: EventStream, most = MOST_PER_SESSION): void {
    if (this.#hasEnded) {
      // Not yet: whoever opens it has not put together what its end takes apart.
      process.nextTick(() => stream.end());
      return;
    }
    const own = this.#bySession.get(sessionId) ?? new Set();
    const [oldest] = own;
    if (oldest && own.size >= most) oldest.end();
    this.#bySession.set(sessionId, own.add(stream));
  }

  delete(sessionId: string, stream: EventStream): void {
    const own = this.#bySession.get(sessionId);
    own?.delete(stream);
    if (own?.size === 0) this.#bySession.delete(sessionId);
  }

  /** A server that stops waits for nobody's stream. */
  endAll(): void {
    this.#hasEnded = true;
    for (const own of [...this.#bySession.values()]) for (const stream of [...own]) stream.end();
  }
}
