/** Frames of one administrator's event stream. */
export interface Frames {
  /** Bytes of each frame, except the complete first one. */
  bytes: number[];
  firstBytes: number;
  /** Milliseconds between two frames. */
  gaps: number[];
}

/** Reads the live board's stream until the returned function is called. */
export function readFrames(url: string, cookie: string): () => Promise<Frames> {
  const end = new AbortController();
  const sizes: number[] = [];
  const gaps: number[] = [];
  const reading = (async () => {
    const response = await fetch(`${url}/api/live`, { headers: { cookie }, signal: end.signal });
    if (!response.ok || !response.body) throw new Error(`the board returned ${response.status}`);
    let text = '';
    let last = 0;
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      for (let at = text.indexOf('\n\n'); at >= 0; at = text.indexOf('\n\n')) {
        const event = text.slice(0, at + 2);
        text = text.slice(at + 2);
        if (!event.startsWith('event: board')) continue;
        const now = performance.now();
        if (last > 0) gaps.push(now - last);
        last = now;
        sizes.push(Buffer.byteLength(event));
      }
    }
  })().catch((error: unknown) => {
    if (!end.signal.aborted) throw error;
  });
  return async () => {
    end.abort();
    await reading;
    const [firstBytes = 0, ...bytes] = sizes;
    return { bytes, firstBytes, gaps };
  };
}
