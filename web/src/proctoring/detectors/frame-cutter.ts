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
