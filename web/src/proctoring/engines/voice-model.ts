import type { SampleSource, SpeechListener } from '../sensors/sound.ts';
import type { VoiceAnswer, VoiceCall } from './voice-worker.ts';
import type { WorkerLike } from './worker-line.ts';
import { WorkerLine } from './worker-line.ts';

export interface VoiceModelOptions {
  folder: string;
  /** Starts the worker; the real one is `voiceWorker`. */
  spawn?: () => WorkerLike;
  onLoaded?: (bytes: number) => void;
}

/** Runs the speech model in a worker. One stream at a time. */
export class VoiceModel implements SpeechListener {
  readonly #line: WorkerLine<VoiceCall, VoiceAnswer>;
  #source: SampleSource | null = null;
  #asking = false;

  constructor({ folder, spawn = voiceWorker, onLoaded }: VoiceModelOptions) {
    this.#line = new WorkerLine({
      spawn,
      begin: { kind: 'begin', folder },
      ...(onLoaded ? { onLoaded } : {}),
      onReady: () => this.#listen(),
    });
  }

  /** Resolves when the model is ready or given up. */
  open(): Promise<void> {
    return this.#line.open();
  }

  /** The model cannot run here. */
  get givenUp(): boolean {
    return this.#line.state === 'given-up';
  }

  /** Switches to this stream. */
  listen(source: SampleSource): void {
    this.#source = source;
    if (this.#line.state === 'ready') this.#listen();
  }

  /**
   * The share of speech frames since the last call; `null` while the model is not running.
   */
  async speechShare(): Promise<number | null> {
    if (this.#line.state !== 'ready' || this.#asking || this.#source === null) return null;
    this.#asking = true;
    try {
      const counts = await this.#line.call({ kind: 'counts' });
      return counts === null || counts.frames === 0 ? null : counts.speech / counts.frames;
    } catch {
      return null;
    } finally {
      this.#asking = false;
    }
  }

  close(): void {
    this.#line.close();
  }

  #listen(): void {
    if (this.#source === null) return;
    const samples = this.#source.connect();
    const call: VoiceCall = { kind: 'listen', samples, rateHz: this.#source.rateHz };
    void this.#line.call(call, [samples]).catch(() => undefined);
  }
}

function voiceWorker(): WorkerLike {
  return new Worker(new URL('./voice-worker.ts', import.meta.url), {
    type: 'module',
    name: 'voice',
  });
}
