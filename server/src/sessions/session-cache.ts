import type { ParticipantSession } from '../db/queries/sessions.ts';
import { keepNewest } from '../runtime/keep-newest.ts';

const MOST = 20_000;

/**
 * Facts of candidates' sessions that never change while the session lives; the oldest entry is evicted
 * first. Not an authority: users must check the session where they write. Keyed by the token itself,
 * which every request brings into memory anyway: hashing it costs more than the rest of the lookup.
 */
export class SessionCache {
  readonly #entries = new Map<string, ParticipantSession>();

  find(token: string, now: Date): ParticipantSession | undefined {
    const session = this.#entries.get(token);
    return session && session.expiresAt.getTime() > now.getTime() ? session : undefined;
  }

  keep(token: string, session: ParticipantSession): void {
    keepNewest(this.#entries, token, session, MOST);
  }
}
