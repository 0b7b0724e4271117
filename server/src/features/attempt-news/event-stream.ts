import { Readable } from 'node:stream';

/** Keeps proxies from taking the silence for a dead line, and finds out lines that are dead. */
const KEEP_ALIVE_MS = 15_000;
/** Signs in a row of which nothing was taken: nobody reads any more. */
const MOST_UNREAD = 4;

/** The body of a `text/event-stream` answer. It never ends by itself while somebody reads. */
export class EventStream {
  readonly body = new Readable({ read: () => undefined });
  readonly #onEnd: () => void;
  readonly #keepAlive: NodeJS.Timeout;
  #ended = false;
  #unread = 0;

  /** @param onEnd called once, when it was ended or the reader has gone */
  constructor(onEnd: () => void) {
    this.#keepAlive = setInterval(() => this.#sign(), KEEP_ALIVE_MS);
    this.#keepAlive.unref();
    this.body.once('close', () => this.end());
    this.#onEnd = onEnd;
  }

  get isOpen(): boolean {
    return !this.#ended;
  }

  /** What the reader has not taken yet. */
  get unreadBytes(): number {
    return this.body.readableLength;
  }

  send(event: string, data: unknown): void {
    this.sendJson(event, JSON.stringify(data));
  }

  /** For what is written once and sent to many. */
  sendJson(event: string, json: string): void {
    if (!this.#ended) this.body.push(`event: ${event}\ndata: ${json}\n\n`);
  }

  /** After this nothing is pushed any more: a push beyond the end would be an error nobody handles. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#keepAlive);
    this.body.push(null);
    this.#onEnd();
  }

  #sign(): void {
    this.#unread = this.body.readableLength > 0 ? this.#unread + 1 : 0;
    if (this.#unread >= MOST_UNREAD) this.body.destroy();
    else this.body.push(':\n\n');
  }
}
