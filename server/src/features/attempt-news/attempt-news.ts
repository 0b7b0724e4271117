import type { Notifications } from '../../db/connection/notifications.ts';
import { NEWS_CHANNEL } from '../../db/queries/attempts/news.ts';

/**
 * Brings news of attempts, whichever process wrote them, to the streams of this process. After a gap
 * in hearing every stream looks again.
 */
export class AttemptNewsHub {
  readonly #notifications: Notifications;
  readonly #listeners = new Map<string, Set<() => void>>();

  constructor(notifications: Notifications) {
    this.#notifications = notifications;
    notifications.on(
      NEWS_CHANNEL,
      (payload) => this.#wake(payload.split(',')),
      () => this.#wake(this.#listeners.keys()),
    );
  }

  /** Calls `look` after each change of the attempt, until the returned function is called. */
  async subscribe(participantId: string, look: () => void): Promise<() => void> {
    const own = this.#listeners.get(participantId) ?? new Set();
    own.add(look);
    this.#listeners.set(participantId, own);
    await this.#notifications.listen();
    return () => {
      own.delete(look);
      // A later reader may have begun a set of its own meanwhile.
      if (own.size === 0 && this.#listeners.get(participantId) === own) {
        this.#listeners.delete(participantId);
      }
    };
  }

  /** News that is written nowhere, and so told by nobody else: somebody watches, or no longer. */
  wake(participantId: string): void {
    this.#wake([participantId]);
  }

  #wake(ids: Iterable<string>): void {
    for (const id of [...ids]) for (const look of this.#listeners.get(id) ?? []) look();
  }
}
