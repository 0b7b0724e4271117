import type { SampleSource, SpeechListener } from '../sensors/sound.ts';
import type { VoiceAnswer, VoiceCall } from './voice-worker.ts';
import { WorkerLine } from './worker-line.ts';
import type { WorkerLike } from './worker-messages.ts';

export interface VoiceModelOptions {
  folder: string;
  /** Starts the worker; the real one is `voiceWorker`. */
  spawn?: () => WorkerLike;
  onLoaded?: (bytes: number) => void;
}

/** Listens for speech by the model, in a worker. One stream at a time. */
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

  /** Ends when the model is ready or was given up. */
  open(): Promise<void> {
    return this.#line.open();
  }

  /** The model cannot run here. */
  get givenUp(): boolean {
    return this.#line.state === 'given-up';
  }

  /** From now on it listens to this. */
  listen(source: SampleSource): void {
    this.#source = source;
    if (this.#line.state === 'ready') this.#listen();
  }

  /**
   * The share of frames since the last time that are speech; `null` when the model did not listen.
   */
  async speechShare(): Promise<number | null> {
    if (this.#line.state !== 'ready' || this.#asking || this.#source === null) return null;
    this.#asking = true;
    try {
      const heard = await this.#line.call({ kind: 'heard' });
      return heard === null || heard.frames === 0 ? null : heard.speech / heard.frames;
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
