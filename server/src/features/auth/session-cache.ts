import type { ParticipantSession } from './session-queries.ts';

const MOST = 20_000;

/**
 * Facts of candidates' sessions that never change while the session lives, oldest entry out first.
 * Not an authority: whoever uses it must check the session where it writes.
 */
export class SessionCache {
  readonly #entries = new Map<string, ParticipantSession>();

  find(key: string, now: Date): ParticipantSession | undefined {
    const session = this.#entries.get(key);
    return session && session.expiresAt.getTime() > now.getTime() ? session : undefined;
  }

  keep(key: string, session: ParticipantSession): void {
    this.#entries.delete(key);
    this.#entries.set(key, session);
    if (this.#entries.size <= MOST) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
