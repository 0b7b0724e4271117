import type { WatchNews, WatchWord } from '../../attempt-news/watch-news.ts';

/** The newest picture of a watched person. */
export interface ShownThumbnail {
  at: Date;
  jpeg: Buffer;
}

interface Watched {
  watchers: number;
  newest: ShownThumbnail | undefined;
}

/** A process says this often of whom it watches, so that one that starts or missed it knows soon. */
const SAY_EVERY_MS = 3_000;
/** What a process that died said is believed this long. */
const BELIEVED_MS = 10_000;

/**
 * Who is watched through the camera, and the newest picture of each. In memory only: nothing of it is
 * stored, and it is gone with the last watcher. A picture may come to another process than the one
 * that the watcher's stream hangs on; it is then handed on.
 */
export class Thumbnails {
  readonly #watched = new Map<string, Watched>();
  /** Whom other processes watch: until when each is believed. */
  readonly #elsewhere = new Map<string, Map<string, number>>();
  readonly #news: WatchNews;
  readonly #tell: (participantId: string) => void;
  #saying: NodeJS.Timeout | undefined;
  #forgetting: NodeJS.Timeout | undefined;

  /** `tell` is called when the watching of a person begins and when it is over. */
  constructor(news: WatchNews, tell: (participantId: string) => void) {
    this.#news = news;
    this.#tell = tell;
    news.hear(
      (word) => this.#take(word),
      (participantId) => this.#watched.has(participantId),
    );
  }

  isWatched(participantId: string): boolean {
    return this.#watched.has(participantId) || this.#elsewhere.has(participantId);
  }

  /** Begins to watch, until the returned function is called. */
  watch(participantId: string): () => void {
    const watched = this.#watched.get(participantId) ?? { watchers: 0, newest: undefined };
    watched.watchers += 1;
    this.#watched.set(participantId, watched);
    if (watched.watchers === 1) {
      this.#tell(participantId);
      void this.#news.say('watching', [participantId]);
    }
    this.#saying ??= setInterval(() => {
      void this.#news.say('watching', [...this.#watched.keys()]);
    }, SAY_EVERY_MS).unref();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      watched.watchers -= 1;
      if (watched.watchers > 0) return;
      this.#watched.delete(participantId);
      this.#tell(participantId);
      void this.#news.say('over', [participantId]);
      if (this.#watched.size === 0) this.#endSaying();
    };
  }

  /** Takes a picture, if anybody watches; says whether somebody does. */
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
    this.#endSaying();
    clearInterval(this.#forgetting);
  }

  #take(word: WatchWord): void {
    if (word.kind === 'picture') {
      const watched = this.#watched.get(word.participantId);
      if (watched) watched.newest = { jpeg: word.jpeg, at: word.at };
      return;
    }
    const { participantId, node } = word;
    const nodes = this.#elsewhere.get(participantId) ?? new Map<string, number>();
    const before = this.isWatched(participantId);
    if (word.kind === 'over') nodes.delete(node);
    else nodes.set(node, performance.now() + BELIEVED_MS);
    if (nodes.size > 0) this.#elsewhere.set(participantId, nodes);
    else this.#elsewhere.delete(participantId);
    this.#forgetting ??= setInterval(() => this.#forgetOld(), SAY_EVERY_MS).unref();
    if (this.isWatched(participantId) !== before) this.#tell(participantId);
  }

  #forgetOld(): void {
    const now = performance.now();
    for (const [participantId, nodes] of this.#elsewhere) {
      for (const [node, until] of nodes) if (until < now) nodes.delete(node);
      if (nodes.size > 0) continue;
      this.#elsewhere.delete(participantId);
      if (!this.isWatched(participantId)) this.#tell(participantId);
    }
  }

  #endSaying(): void {
    clearInterval(this.#saying);
    this.#saying = undefined;
  }
}
