import * as ort from 'onnxruntime-web/wasm';

/** What the model works on: samples at 16 kHz, 32 ms at a time, with the end of the ones before. */
export const SILERO_RATE_HZ = 16_000;
export const SILERO_FRAME = 512;
const CONTEXT = 64;
const STATE_SHAPE = [2, 1, 128];

/** The files of the engine, below its folder. */
const MODEL = 'silero_vad_v5.onnx';
const RUNTIME = 'ort-wasm-simd-threaded';

/** Silero VAD v5: how likely a frame holds speech. It remembers what it heard before. */
export class Silero {
  readonly #session: ort.InferenceSession;
  readonly #rate = new ort.Tensor('int64', BigInt64Array.of(BigInt(SILERO_RATE_HZ)));
  readonly #input = new Float32Array(CONTEXT + SILERO_FRAME);
  #state = freshState();

  private constructor(session: ort.InferenceSession) {
    this.#session = session;
  }

  static async load(folder: string): Promise<Silero> {
    // More threads need an isolated page, and one is enough: 0.3 ms for a frame of 32.
    ort.env.wasm.numThreads = 1;
    ort.env.wasm.wasmPaths = { mjs: `${folder}${RUNTIME}.mjs`, wasm: `${folder}${RUNTIME}.wasm` };
    ort.env.logLevel = 'error';
    const response = await fetch(`${folder}${MODEL}`);
    if (!response.ok) throw new Error(`${MODEL} answered ${response.status}`);
    const weights = new Uint8Array(await response.arrayBuffer());
    return new Silero(await ort.InferenceSession.create(weights, { executionProviders: ['wasm'] }));
  }

  /** Another stream begins. */
  forget(): void {
    this.#state = freshState();
    this.#input.fill(0);
  }

  /** Probability of speech in one frame, 0 to 1. */
  async hear(frame: Float32Array): Promise<number> {
    this.#input.copyWithin(0, SILERO_FRAME);
    this.#input.set(frame, CONTEXT);
    const input = new ort.Tensor('float32', this.#input, [1, this.#input.length]);
    const answer = await this.#session.run({ input, state: this.#state, sr: this.#rate });
    const state = answer.stateN;
    const probability = answer.output?.data[0];
    if (state?.type !== 'float32' || typeof probability !== 'number') {
      throw new Error('the model answered something else');
    }
    this.#state = state as ort.TypedTensor<'float32'>;
    return probability;
  }
}

function freshState(): ort.TypedTensor<'float32'> {
  return new ort.Tensor('float32', new Float32Array(2 * 128), STATE_SHAPE);
}
