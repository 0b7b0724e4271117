/** The newest picture of a watched person. */
export interface ShownThumbnail {
  at: Date;
  jpeg: Buffer;
}

interface Watched {
  watchers: number;
  newest: ShownThumbnail | undefined;
}

/**
 * Who is watched through the camera, and the newest picture of each. In the memory of this process
 * only: nothing of it is stored, and it is gone with the last watcher.
 */
export class Thumbnails {
  readonly #watched = new Map<string, Watched>();
  readonly #tell: (participantId: string) => void;

  /** `tell` is called when the watching of a person begins and when it is over. */
  constructor(tell: (participantId: string) => void) {
    this.#tell = tell;
  }

  isWatched(participantId: string): boolean {
    return this.#watched.has(participantId);
  }

  /** Begins to watch, until the returned function is called. */
  watch(participantId: string): () => void {
    const watched = this.#watched.get(participantId) ?? { watchers: 0, newest: undefined };
    watched.watchers += 1;
    this.#watched.set(participantId, watched);
    if (watched.watchers === 1) this.#tell(participantId);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      watched.watchers -= 1;
      if (watched.watchers > 0) return;
      this.#watched.delete(participantId);
      this.#tell(participantId);
    };
  }

  /** Takes a picture, if anybody watches; says whether somebody does. */
  show(participantId: string, jpeg: Buffer, at: Date): boolean {
    const watched = this.#watched.get(participantId);
    if (watched) watched.newest = { jpeg, at };
    return watched !== undefined;
  }

  newest(participantId: string): ShownThumbnail | undefined {
    return this.#watched.get(participantId)?.newest;
  }
}
