import { Readable } from 'node:stream';

/** Keeps proxies from closing an idle connection, and detects connections that are dead. */
const KEEP_ALIVE_MS = 15_000;
/** Keep-alives in a row that found the last one unread: the reader is gone. */
const MAX_UNREAD = 4;

/** The body of a `text/event-stream` response. It stays open as long as it is read. */
export class EventStream {
  readonly body = new Readable({ read: () => undefined });
  readonly #onEnd: () => void;
  readonly #keepAlive: NodeJS.Timeout;
  #ended = false;
  #unread = 0;

  /** @param onEnd called once, when it was ended or the reader has gone */
  constructor(onEnd: () => void) {
    this.#keepAlive = setInterval(() => this.#sendKeepAlive(), KEEP_ALIVE_MS);
    this.#keepAlive.unref();
    this.body.once('close', () => this.end());
    this.#onEnd = onEnd;
  }

  get isOpen(): boolean {
    return !this.#ended;
  }

  /** Bytes that the reader has not taken from this process yet. */
  get unreadBytes(): number {
    return this.body.readableLength;
  }

  send(event: string, data: unknown): void {
    this.sendJson(event, JSON.stringify(data));
  }

  /** Sends data that is serialized once for many streams. */
  sendJson(event: string, json: string): void {
    if (!this.#ended) this.body.push(`event: ${event}\ndata: ${json}\n\n`);
  }

  /** Nothing is pushed after this: a push after the end would be an unhandled error. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#keepAlive);
    this.body.push(null);
    this.#onEnd();
  }

  #sendKeepAlive(): void {
    this.#unread = this.body.readableLength > 0 ? this.#unread + 1 : 0;
    if (this.#unread >= MAX_UNREAD) this.body.destroy();
    else this.body.push(':\n\n');
  }
}
