import { logProblem } from '../lib/problem-log.ts';
import type { Engines, LoadWishes } from './engines/load-engines.ts';

/** How far loading is, for the screens. `share` is `null` where nothing is loaded. */
export interface EnginesSnapshot {
  share: number | null;
  ready: boolean;
}

const NOTHING: EnginesSnapshot = { share: null, ready: false };

/**
 * The detectors of this page. Their code and weights are fetched when somebody wants them, never
 * before; until then, and where they cannot be fetched, everybody who asks gets `null`.
 */
export class LoadedEngines {
  readonly #fetch: () => Promise<{ loadEngines(wishes: LoadWishes): Engines }>;
  readonly #listeners = new Set<() => void>();
  #wanted: { face: boolean; voice: boolean } | null = null;
  #coming: Promise<Engines | null> = Promise.resolve(null);
  #here: Engines | null = null;
  #snapshot = NOTHING;

  constructor(fetch: () => Promise<{ loadEngines(wishes: LoadWishes): Engines }>) {
    this.#fetch = fetch;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  getSnapshot = (): EnginesSnapshot => this.#snapshot;

  /** Starts loading; the same wish again changes nothing. */
  want(wanted: { face: boolean; voice: boolean }): void {
    if (!wanted.face && !wanted.voice) return;
    if (this.#wanted?.face === wanted.face && this.#wanted.voice === wanted.voice) return;
    this.#wanted = wanted;
    this.#coming = this.#load(wanted);
  }

  /** The engines once their code is here, whether or not their weights are. */
  get coming(): Promise<Engines | null> {
    return this.#coming;
  }

  /** The engines, if they are here. */
  get here(): Engines | null {
    return this.#here;
  }

  close(): void {
    this.#here?.close();
    this.#here = null;
    this.#wanted = null;
    this.#coming = Promise.resolve(null);
    this.#set(NOTHING);
  }

  async #load(wanted: { face: boolean; voice: boolean }): Promise<Engines | null> {
    const isCurrent = () => this.#wanted === wanted;
    try {
      const { loadEngines } = await this.#fetch();
      if (!isCurrent()) return null;
      const onProgress = (share: number) => {
        if (isCurrent() && !this.#snapshot.ready) this.#set({ share, ready: false });
      };
      const engines = loadEngines({ ...wanted, onProgress });
      this.#here = engines;
      void engines.ready.then(() => {
        if (isCurrent()) this.#set({ share: 1, ready: true });
      });
      return engines;
    } catch (cause) {
      logProblem('The detectors could not be fetched: nothing judges faces or voices', cause);
      return null;
    }
  }

  #set(snapshot: EnginesSnapshot): void {
    this.#snapshot = snapshot;
    for (const listener of this.#listeners) listener();
  }
}
