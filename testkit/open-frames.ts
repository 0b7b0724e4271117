/** An event stream as a page reads it. */
export interface OpenFrames {
  status: number;
  close(): void;
  /** The data of the next frame; `undefined` once the stream has ended. */
  next(): Promise<Record<string, unknown> | undefined>;
}

/** Opens an event stream of a listening app. */
export async function openFrames(url: string, cookie: string): Promise<OpenFrames> {
  const ending = new AbortController();
  const response = await fetch(url, {
    headers: { cookie: `invigil_session=${cookie}` },
    signal: ending.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    status: response.status,
    close: () => ending.abort(),
    async next() {
      for (;;) {
        const frame = /event: \w+\ndata: (.*)\n\n/.exec(text);
        if (frame) {
          text = text.slice(frame.index + frame[0].length);
          return JSON.parse(frame[1] ?? '');
        }
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done) return undefined;
        text += value;
      }
    },
  };
}
