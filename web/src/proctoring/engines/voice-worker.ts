import * as ort from 'onnxruntime-web/wasm';
import { FrameCutter, Resampler } from '../detectors/resampler.ts';
import { answerCalls, countLoadedBytes } from './answer-calls.ts';

export type VoiceCall =
  | { kind: 'begin'; folder: string }
  /** Samples at this rate arrive through the port. */
  | { kind: 'listen'; samples: MessagePort; rateHz: number }
  /** The counts since the last such call. */
  | { kind: 'counts' };

/** Frames processed, and how many of them are speech; `null` for the other calls. */
export type VoiceAnswer = { frames: number; speech: number } | null;

/** Probability above which a frame is speech. */
const SPEECH = 0.5;
/** Two seconds: if the machine cannot keep up, the oldest frames are dropped. */
const MOST_WAITING = 64;

let silero: Silero | null = null;
let port: MessagePort | null = null;
let waiting: Float32Array[] = [];
let counts = { frames: 0, speech: 0 };
let running = false;
let broken: string | null = null;

countLoadedBytes();
answerCalls<VoiceCall, VoiceAnswer>(async (call) => {
  switch (call.kind) {
    case 'begin':
      silero = await Silero.load(call.folder);
      // Warm-up: the first frame is slow.
      await silero.speechOf(new Float32Array(SILERO_FRAME));
      return null;
    case 'listen':
      listen(call.samples, call.rateHz);
      return null;
    case 'counts': {
      if (broken !== null) throw new Error(broken);
      const answer = counts;
      counts = { frames: 0, speech: 0 };
      return answer;
    }
  }
});

function listen(samples: MessagePort, rateHz: number): void {
  port?.close();
  port = samples;
  waiting = [];
  silero?.forget();
  const resampler = new Resampler(rateHz, SILERO_RATE_HZ);
  const cutter = new FrameCutter(SILERO_FRAME);
  samples.onmessage = ({ data }: MessageEvent<Float32Array>) => {
    waiting.push(...cutter.push(resampler.push(data)));
    if (waiting.length > MOST_WAITING) waiting = waiting.slice(-MOST_WAITING);
    void work();
  };
}

async function work(): Promise<void> {
  if (running || silero === null) return;
  running = true;
  try {
    for (let frame = waiting.shift(); frame !== undefined; frame = waiting.shift()) {
      const probability = await silero.speechOf(frame);
      counts.frames += 1;
      if (probability > SPEECH) counts.speech += 1;
    }
  } catch (error) {
    broken = String(error);
  } finally {
    running = false;
  }
}

/** The model's input: frames of 32 ms at 16 kHz, with the end of the previous frame as context. */
export const SILERO_RATE_HZ = 16_000;
export const SILERO_FRAME = 512;
const CONTEXT = 64;
const STATE_SHAPE = [2, 1, 128];

/** The files of the engine, below its folder. */
const MODEL = 'silero_vad_v5.onnx';
const RUNTIME = 'ort-wasm-simd-threaded';

/** Silero VAD v5: probability of speech in a frame. Stateful across frames. */
export class Silero {
  readonly #session: ort.InferenceSession;
  readonly #rate = new ort.Tensor('int64', BigInt64Array.of(BigInt(SILERO_RATE_HZ)));
  readonly #input = new Float32Array(CONTEXT + SILERO_FRAME);
  #state = freshState();

  private constructor(session: ort.InferenceSession) {
    this.#session = session;
  }

  static async load(folder: string): Promise<Silero> {
    // Threads need cross-origin isolation, and one is enough: 0.3 ms per frame of 32 ms.
    ort.env.wasm.numThreads = 1;
    ort.env.wasm.wasmPaths = { mjs: `${folder}${RUNTIME}.mjs`, wasm: `${folder}${RUNTIME}.wasm` };
    ort.env.logLevel = 'error';
    const response = await fetch(`${folder}${MODEL}`);
    if (!response.ok) throw new Error(`${MODEL} answered ${response.status}`);
    const weights = new Uint8Array(await response.arrayBuffer());
    return new Silero(await ort.InferenceSession.create(weights, { executionProviders: ['wasm'] }));
  }

  /** Resets the state for another stream. */
  forget(): void {
    this.#state = freshState();
    this.#input.fill(0);
  }

  /** Probability of speech in one frame, 0 to 1. */
  async speechOf(frame: Float32Array): Promise<number> {
    this.#input.copyWithin(0, SILERO_FRAME);
    this.#input.set(frame, CONTEXT);
    const input = new ort.Tensor('float32', this.#input, [1, this.#input.length]);
    const answer = await this.#session.run({ input, state: this.#state, sr: this.#rate });
    const state = answer.stateN;
    const probability = answer.output?.data[0];
    if (state?.type !== 'float32' || typeof probability !== 'number') {
      throw new Error('unexpected output of the model');
    }
    this.#state = state as ort.TypedTensor<'float32'>;
    return probability;
  }
}

function freshState(): ort.TypedTensor<'float32'> {
  return new ort.Tensor('float32', new Float32Array(2 * 128), STATE_SHAPE);
}
