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
