/** One event of a `text/event-stream`. */
export interface StreamEvent {
  /** `message` if the server sent none */
  name: string;
  data: string;
}

/**
 * Incremental parser of server-sent events, without `id` and `retry`: our streams send the full state
 * after each connection.
 */
export class EventParser {
  #rest = '';
  #name = '';
  #data: string[] = [];

  /** The events completed by this piece. */
  push(piece: string): StreamEvent[] {
    const lines = (this.#rest + piece).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#line(line));
  }

  #line(line: string): StreamEvent[] {
    if (line === '') return this.#end();
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === 'event') this.#name = value;
    else if (field === 'data') this.#data.push(value);
    return [];
  }

  #end(): StreamEvent[] {
    const event = { name: this.#name || 'message', data: this.#data.join('\n') };
    const isEvent = this.#data.length > 0;
    this.#name = '';
    this.#data = [];
    return isEvent ? [event] : [];
  }
}

/**
 * Reads a stream to its end. Based on `fetch`, because EventSource stops on a refusal and hides its
 * reason.
 *
 * @param onSign any data arrived, including keep-alive comments
 */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: StreamEvent) => void,
  onSign: () => void,
): Promise<void> {
  const parser = new EventParser();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onSign();
    for (const event of parser.push(decoder.decode(value, { stream: true }))) onEvent(event);
  }
}
