import { ImportLine } from '@invigil/core/contract/assessments/imports';

/** A pause for the page after so much work: half of a frame. */
const WORK_MS = 8;

/**
 * The lines of a streamed response, each a JSON object, as they arrive. Other work of the page goes on
 * in between, however much arrives at once. Throws when a line is not what the contract says.
 */
export async function* importLines(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<ImportLine> {
  let pausedAt = performance.now();
  for await (const line of textLines(body)) {
    signal.throwIfAborted();
    yield ImportLine.parse(JSON.parse(line));
    if (performance.now() - pausedAt < WORK_MS) continue;
    await new Promise((resume) => setTimeout(resume));
    pausedAt = performance.now();
  }
}

async function* textLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  /** The beginning of a line, in pieces: joining them at each chunk would copy a long line often. */
  let pieces: string[] = [];
  try {
    for (;;) {
      const { value, done } = await reader.read();
      const [first = '', ...rest] = decoder.decode(value, { stream: !done }).split('\n');
      pieces.push(first);
      for (const next of rest) {
        const line = pieces.join('');
        pieces = [next];
        if (line.trim() !== '') yield line;
      }
      if (!done) continue;
      const last = pieces.join('');
      if (last.trim() !== '') yield last;
      return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Shown for an image that the preview does not have: its alternative text appears. */
const NO_IMAGE = 'data:,';

/** The images of a file that is being reviewed, by the hash that its texts name. */
export class PreviewImages {
  readonly #stored = new Map<string, { mediaType: string; base64: string }>();
  readonly #addresses = new Map<string, string>();

  add({ hash, ...image }: { hash: string; mediaType: string; base64: string }): void {
    this.#stored.set(hash, image);
  }

  /** Decoded when it is first shown: a file may have thousands. */
  addressOf(hash: string): string {
    const known = this.#addresses.get(hash);
    if (known !== undefined) return known;
    const image = this.#stored.get(hash);
    if (image === undefined) return NO_IMAGE;
    const bytes = Uint8Array.from(atob(image.base64), (character) => character.charCodeAt(0));
    const address = URL.createObjectURL(new Blob([bytes], { type: image.mediaType }));
    this.#addresses.set(hash, address);
    return address;
  }

  revoke(): void {
    for (const address of this.#addresses.values()) URL.revokeObjectURL(address);
    this.#addresses.clear();
  }
}
