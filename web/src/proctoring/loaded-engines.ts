import { logProblem } from '../lib/problem-log.ts';
import { SnapshotStore } from '../lib/snapshot.ts';
import type { FaceSensor } from './detectors/sensor-reports.ts';
import type { Engines, LoadOptions } from './engines/load-engines.ts';
import { fetchAgain } from './fetch-again.ts';

/** Loading progress for the screens. `share` is `null` when nothing is requested. */
export interface EnginesSnapshot {
  share: number | null;
  ready: boolean;
}

const NOTHING: EnginesSnapshot = { share: null, ready: false };

/**
 * The page's detectors. Code and weights are fetched on request; failed fetches are retried, and
 * until they succeed nothing is detected.
 */
export class LoadedEngines extends SnapshotStore<EnginesSnapshot> {
  readonly #fetch: () => Promise<{ loadEngines(options: LoadOptions): Engines }>;
  #wanted: { face: boolean; voice: boolean } | null = null;
  #coming: Promise<Engines | null> = Promise.resolve(null);
  #here: Engines | null = null;

  constructor(fetch: () => Promise<{ loadEngines(options: LoadOptions): Engines }>) {
    super(NOTHING);
    this.#fetch = fetch;
  }

  /** Starts loading; those that are loaded stay for a request that needs no more: sound goes to them. */
  want(wanted: { face: boolean; voice: boolean }): void {
    if (!wanted.face && !wanted.voice) return;
    const { face = false, voice = false } = this.#wanted ?? {};
    if (face >= wanted.face && voice >= wanted.voice) return;
    this.#here?.close();
    this.#wanted = wanted;
    // The state changes before their code has arrived: until then an unknown state would read as ready.
    this.update({ share: 0, ready: false });
    this.#coming = this.#load(wanted);
  }

  /** The engines once their code is loaded, even before their weights are; `null`: not requested. */
  get coming(): Promise<Engines | null> {
    return this.#coming;
  }

  get face(): FaceSensor | null {
    return this.#here?.face ?? null;
  }

  close(): void {
    this.#here?.close();
    this.#here = null;
    this.#wanted = null;
    this.#coming = Promise.resolve(null);
    this.update(NOTHING);
  }

  async #load(wanted: { face: boolean; voice: boolean }): Promise<Engines | null> {
    const isCurrent = () => this.#wanted === wanted;
    const code = await fetchAgain(this.#fetch, isCurrent, (cause) =>
      logProblem('The detectors could not be fetched; retrying', cause),
    );
    if (code === null || !isCurrent()) return null;
    const onProgress = (share: number) => {
      if (isCurrent() && !this.snapshot.ready) this.update({ share, ready: false });
    };
    const engines = code.loadEngines({ ...wanted, onProgress });
    this.#here = engines;
    void engines.ready.then(() => {
      if (isCurrent()) this.update({ share: 1, ready: true });
    });
    return engines;
  }
}
