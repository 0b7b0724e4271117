/**
 * Runs on the audio thread and processes every sample: an analyser polled every 300 ms gets a seventh
 * of them and misses a slam in between. Reports the mean square of each interval, and forwards the
 * samples to the speech model if there is one. Nothing is stored.
 */

declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: unknown): void;
declare const sampleRate: number;

/** Message from the page to the worklet. */
interface Settings {
  everyMs?: number;
  /** Receives the samples; `null` for none. */
  listener?: MessagePort | null;
}

/** Samples per message: 21 ms at 48 kHz. */
const BLOCK = 1_024;

class SoundMeter extends AudioWorkletProcessor {
  #intervalSamples = Math.round(sampleRate * 0.3);
  #squares = 0;
  #counted = 0;
  #listener: MessagePort | null = null;
  #block = new Float32Array(BLOCK);
  #filled = 0;

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<Settings>) => {
      if (data.everyMs !== undefined) {
        this.#intervalSamples = Math.round((sampleRate * data.everyMs) / 1_000);
      }
      if (data.listener !== undefined) {
        this.#listener = data.listener;
        this.#filled = 0;
      }
    };
  }

  process([channels]: Float32Array[][]): boolean {
    const [first] = channels ?? [];
    if (channels === undefined || first === undefined) return true;
    for (let i = 0; i < first.length; i += 1) {
      let sum = 0;
      for (const channel of channels) sum += channel[i] ?? 0;
      this.#take(sum / channels.length);
    }
    return true;
  }

  #take(sample: number): void {
    this.#squares += sample * sample;
    this.#counted += 1;
    if (this.#counted >= this.#intervalSamples) {
      this.port.postMessage({ meanSquare: this.#squares / this.#counted });
      this.#squares = 0;
      this.#counted = 0;
    }
    if (this.#listener === null) return;
    this.#block[this.#filled] = sample;
    this.#filled += 1;
    if (this.#filled < BLOCK) return;
    this.#listener.postMessage(this.#block, [this.#block.buffer]);
    this.#block = new Float32Array(BLOCK);
    this.#filled = 0;
  }
}

registerProcessor('sound-meter', SoundMeter);
