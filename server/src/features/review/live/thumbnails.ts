import type { WatchMessage, WatchNews } from '../../attempt-news/watch-news.ts';

/** The newest picture of a watched person. */
export interface ShownThumbnail {
  at: Date;
  jpeg: Buffer;
}

interface Watched {
  watchers: number;
  newest: ShownThumbnail | undefined;
}

/** A process repeats this often whom it watches, for processes that started later or missed it. */
const ANNOUNCE_EVERY_MS = 3_000;
/** An announcement that is not repeated expires after this: its process may have died. */
const ANNOUNCEMENT_MS = 10_000;

/**
 * The attempts that are watched through the camera, and the newest picture of each. In memory only: nothing
 * is stored, and it is gone with the last watcher. A picture may arrive at another process than the one that
 * serves the watcher's stream; it is then forwarded.
 */
export class Thumbnails {
  readonly #watched = new Map<string, Watched>();
  /** Whom other processes watch, and when each announcement expires. */
  readonly #elsewhere = new Map<string, Map<string, number>>();
  readonly #news: WatchNews;
  readonly #onChange: (participantId: string) => void;
  #announcing: NodeJS.Timeout | undefined;
  #expiring: NodeJS.Timeout | undefined;

  /** @param onChange called when watching of a person begins and when it is over */
  constructor(news: WatchNews, onChange: (participantId: string) => void) {
    this.#news = news;
    this.#onChange = onChange;
    news.listen(
      (message) => this.#receive(message),
      (participantId) => this.#watched.has(participantId),
    );
  }

  isWatched(participantId: string): boolean {
    return this.#watched.has(participantId) || this.#elsewhere.has(participantId);
  }

  /** Watches a person until the returned function is called. */
  watch(participantId: string): () => void {
    const watched = this.#watched.get(participantId) ?? { watchers: 0, newest: undefined };
    watched.watchers += 1;
    this.#watched.set(participantId, watched);
    if (watched.watchers === 1) {
      this.#onChange(participantId);
      void this.#news.announce('watching', [participantId]);
    }
    this.#announcing ??= setInterval(() => {
      void this.#news.announce('watching', [...this.#watched.keys()]);
    }, ANNOUNCE_EVERY_MS).unref();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      watched.watchers -= 1;
      if (watched.watchers > 0) return;
      this.#watched.delete(participantId);
      this.#onChange(participantId);
      void this.#news.announce('over', [participantId]);
      if (this.#watched.size === 0) this.#stopAnnouncing();
    };
  }

  /** Takes a picture if the person is watched. Returns whether they are. */
  show(participantId: string, jpeg: Buffer, at: Date): boolean {
    const watched = this.#watched.get(participantId);
    if (watched) watched.newest = { jpeg, at };
    if (!this.#elsewhere.has(participantId)) return watched !== undefined;
    void this.#news.sendPicture(participantId, jpeg, at);
    return true;
  }

  newest(participantId: string): ShownThumbnail | undefined {
    return this.#watched.get(participantId)?.newest;
  }

  stop(): void {
    this.#stopAnnouncing();
    clearInterval(this.#expiring);
  }

  #receive(message: WatchMessage): void {
    if (message.kind === 'picture') {
      const watched = this.#watched.get(message.participantId);
      if (watched) watched.newest = { jpeg: message.jpeg, at: message.at };
      return;
    }
    const { participantId, node } = message;
    const nodes = this.#elsewhere.get(participantId) ?? new Map<string, number>();
    const before = this.isWatched(participantId);
    if (message.kind === 'over') nodes.delete(node);
    else nodes.set(node, performance.now() + ANNOUNCEMENT_MS);
    if (nodes.size > 0) this.#elsewhere.set(participantId, nodes);
    else this.#elsewhere.delete(participantId);
    this.#expiring ??= setInterval(() => this.#expire(), ANNOUNCE_EVERY_MS).unref();
    if (this.isWatched(participantId) !== before) this.#onChange(participantId);
  }

  #expire(): void {
    const now = performance.now();
    for (const [participantId, nodes] of this.#elsewhere) {
      for (const [node, until] of nodes) if (until < now) nodes.delete(node);
      if (nodes.size > 0) continue;
      this.#elsewhere.delete(participantId);
      if (!this.isWatched(participantId)) this.#onChange(participantId);
    }
  }

  #stopAnnouncing(): void {
    clearInterval(this.#announcing);
    this.#announcing = undefined;
  }
}
