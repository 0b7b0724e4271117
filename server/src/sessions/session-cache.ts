import type { ParticipantSession } from '../db/queries/sessions.ts';
import { keepNewest } from '../runtime/keep-newest.ts';

const MOST = 20_000;

/**
 * Facts of candidates' sessions that never change while the session lives, oldest entry out first.
 * Not an authority: anyone who uses it must check the session where it writes. Keyed by the token itself,
 * which every request brings into memory anyhow: hashing it costs more than the rest of the look-up.
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
