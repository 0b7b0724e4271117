import { isDeepStrictEqual } from 'node:util';
import type { Grant } from '@invigil/core/domain/rights';
import type { Logger } from 'pino';
import type { AdminSession } from '../../db/queries/sessions.ts';
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
      // Ends it on the next tick: the caller has not yet set up what the end cleans up.
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

/** A sign-out or a lost permission ends all reading within a second. */
const SESSION_EVERY_MS = 800;

type Watching = Pick<AdminSession, 'id' | 'grants'>;

/**
 * Ends streams whose session is no longer live, or may no longer do what it might when they were opened.
 * One question for all that a process has, however many watch.
 */
export class WatchedSessions {
  readonly #readGrants: (ids: string[]) => Promise<Map<string, readonly Grant[]>>;
  readonly #log: Logger;
  readonly #sessions = new Map<EventStream, Watching>();
  #timer: NodeJS.Timeout | undefined;
  #isChecking = false;

  /** @param readGrants what those sessions among some may do that are live, by their id */
  constructor(readGrants: (ids: string[]) => Promise<Map<string, readonly Grant[]>>, log: Logger) {
    this.#readGrants = readGrants;
    this.#log = log;
  }

  add(stream: EventStream, session: Watching): void {
    this.#sessions.set(stream, session);
    this.#timer ??= setInterval(() => void this.#check(), SESSION_EVERY_MS).unref();
  }

  delete(stream: EventStream): void {
    this.#sessions.delete(stream);
    if (this.#sessions.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const asked = [...this.#sessions];
    try {
      const found = await this.#readGrants([...new Set(asked.map(([, { id }]) => id))]);
      for (const [stream, { id, grants }] of asked) {
        if (!isDeepStrictEqual(found.get(id), grants)) stream.end();
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'sessions of open streams could not be checked');
    } finally {
      this.#isChecking = false;
    }
  }
}
