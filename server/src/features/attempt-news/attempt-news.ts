import type { Notifications } from '../../db/connection/notifications.ts';
import { NEWS_CHANNEL } from '../../db/queries/attempts/news.ts';

/**
 * Notifies the streams of this process of changes to attempts and assessments, whichever process made them.
 * After a gap in the connection to the database every stream reads its state again.
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

  /**
   * Calls `onChange` after each change of an attempt or assessment, until the returned function is called.
   */
  async subscribe(id: string, onChange: () => void): Promise<() => void> {
    const own = this.#listeners.get(id) ?? new Set();
    own.add(onChange);
    this.#listeners.set(id, own);
    await this.#notifications.listen();
    return () => {
      own.delete(onChange);
      // A later subscriber may have created a set of its own since then.
      if (own.size === 0 && this.#listeners.get(id) === own) {
        this.#listeners.delete(id);
      }
    };
  }

  /**
   * Announces a change that is not in the database, so nothing else announces it: watching began or ended.
   */
  wake(participantId: string): void {
    this.#wake([participantId]);
  }

  #wake(ids: Iterable<string>): void {
    for (const id of [...ids]) for (const onChange of this.#listeners.get(id) ?? []) onChange();
  }
}
