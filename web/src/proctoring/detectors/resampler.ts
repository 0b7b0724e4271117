/** Zero crossings of the low-pass on each side of a sample: more are sharper and slower. */
const CROSSINGS = 12;
/** Pass band, as a share of the highest frequency that the slower rate can carry. */
const PASS = 0.92;

/**
 * Changes the sample rate of a stream, block by block, with a windowed-sinc low-pass: plain
 * decimation would alias noise above 8 kHz into the range of speech. Rates are whole numbers of
 * hertz, so the filter has few phases (one from 48 kHz, 160 from 44.1 kHz), computed once.
 */
export class Resampler {
  readonly #up: number;
  readonly #down: number;
  readonly #half: number;
  readonly #kernels: Float32Array[];
  #held: Float32Array;
  /** Place of the next output sample, in `1 / up` of an input sample from the start of `held`. */
  #place: number;

  constructor(fromHz: number, toHz: number) {
    const shared = greatestCommonDivisor(Math.round(fromHz), Math.round(toHz));
    this.#up = Math.round(toHz) / shared;
    this.#down = Math.round(fromHz) / shared;
    const cutoff = (PASS * Math.min(1, toHz / fromHz)) / 2;
    this.#half = Math.ceil(CROSSINGS / (2 * cutoff));
    this.#kernels = Array.from({ length: this.#up }, (_, phase) =>
      kernel(this.#half, cutoff, phase / this.#up),
    );
    this.#held = new Float32Array(this.#half - 1);
    this.#place = (this.#half - 1) * this.#up;
  }

  /** The output samples up to this block; its last few samples are held for the next one. */
  push(block: Float32Array): Float32Array {
    const input = new Float32Array(this.#held.length + block.length);
    input.set(this.#held);
    input.set(block, this.#held.length);
    const output: number[] = [];
    let place = this.#place;
    for (;;) {
      const first = Math.floor(place / this.#up) - this.#half + 1;
      const weights = this.#kernels[place % this.#up];
      if (weights === undefined || first + weights.length > input.length) break;
      let sum = 0;
      for (let i = 0; i < weights.length; i += 1)
        sum += (weights[i] ?? 0) * (input[first + i] ?? 0);
      output.push(sum);
      place += this.#down;
    }
    const spent = Math.max(0, Math.floor(place / this.#up) - this.#half + 1);
    const kept = Math.min(spent, input.length);
    this.#held = input.slice(kept);
    this.#place = place - kept * this.#up;
    return Float32Array.from(output);
  }
}

/** Weights of the `2 * half` samples around a place that lies `offset` after the sample `half - 1`. */
function kernel(half: number, cutoff: number, offset: number): Float32Array {
  const weights = new Float32Array(2 * half);
  let sum = 0;
  for (let i = 0; i < weights.length; i += 1) {
    const x = i - (half - 1) - offset;
    const angle = 2 * Math.PI * cutoff * x;
    const sinc = x === 0 ? 1 : Math.sin(angle) / angle;
    const window = Math.abs(x) >= half ? 0 : 0.5 + 0.5 * Math.cos((Math.PI * x) / half);
    const weight = sinc * window;
    weights[i] = weight;
    sum += weight;
  }
  for (let i = 0; i < weights.length; i += 1) weights[i] = (weights[i] ?? 0) / sum;
  return weights;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** Cuts a stream of samples into frames of one length; the remainder is buffered. */
export class FrameCutter {
  readonly #length: number;
  #rest: Float32Array = new Float32Array(0);

  constructor(length: number) {
    this.#length = length;
  }

  push(samples: Float32Array): Float32Array[] {
    const all = new Float32Array(this.#rest.length + samples.length);
    all.set(this.#rest);
    all.set(samples, this.#rest.length);
    const frames: Float32Array[] = [];
    let at = 0;
    for (; at + this.#length <= all.length; at += this.#length) {
      frames.push(all.slice(at, at + this.#length));
    }
    this.#rest = all.slice(at);
    return frames;
  }
}
