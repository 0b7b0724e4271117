import type { AppContext } from '../app-context.ts';
import { Batches } from '../db/batches.ts';
import { inBatch } from '../db/database.ts';
import { isDatabaseAway, timeoutOf } from '../db/database-away.ts';
import { findSessions, type Session } from '../db/queries/sessions.ts';
import { guardOf } from './session-seal.ts';

interface Asked {
  tokenHash: Buffer;
  now: Date;
}

const MOST = 500;
/** The request itself must still be completed within its promised time. */
const TIMEOUT = timeoutOf(4_000, 'a session was not found in time');

/**
 * Looks up the current sessions, many at once: many candidates begin and submit in the same minute, and
 * after a restart ten thousand pages send sessions that this process does not know, within the ten
 * seconds between two heartbeats. One by one they would occupy every connection of the pool for longer
 * than anyone waits.
 */
export class SessionReader {
  readonly #batches: Batches<Asked, Session | undefined>;

  constructor(ctx: Pick<AppContext, 'db' | 'keys' | 'trust'>) {
    const guard = guardOf(ctx);
    this.#batches = new Batches<Asked, Session | undefined>({
      keyOf: ({ tokenHash }) => tokenHash.toString('base64'),
      most: MOST,
      isForAll: isDatabaseAway,
      timeout: TIMEOUT,
      // The latest moment of them all, so that none that has expired is accepted.
      run: (asked) =>
        inBatch(ctx.db, (tx) =>
          findSessions(
            tx,
            asked.map(({ tokenHash }) => tokenHash),
            new Date(Math.max(...asked.map(({ now }) => now.getTime()))),
            guard,
          ),
        ),
    });
  }

  find(tokenHash: Buffer, now: Date): Promise<Session | undefined> {
    return this.#batches.add({ tokenHash, now });
  }
}
