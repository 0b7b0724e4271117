import { IdleConnection, Wire } from './wire.ts';

/** One request queued on a connection. */
export interface QueuedRequest {
  /** Built when it is sent. */
  request(): Buffer;
  answered(status: number, answer: Buffer): void;
  lost(why: string): void;
}

/**
 * The connection of one candidate, with one request at a time, like a browser's queue. Requests wait
 * while another is pending, and the wait counts. A connection closed by the server is reopened for the
 * next request.
 */
export class Connection {
  readonly #port: number;
  #wire: Wire | undefined;
  #pending: QueuedRequest | undefined;
  #waiting: QueuedRequest[] = [];

  constructor(port: number) {
    this.#port = port;
  }

  get isBusy(): boolean {
    return this.#pending !== undefined;
  }

  async connect(): Promise<void> {
    if (!this.#wire) await this.#open().opened();
  }

  send(queued: QueuedRequest): void {
    if (this.#pending) this.#waiting.push(queued);
    else this.#start(queued);
  }

  /** Closes the connection; unanswered requests are lost. */
  close(): void {
    this.#wire?.close();
    this.#wire = undefined;
    this.#loseAll('timed out');
  }

  #start(queued: QueuedRequest): void {
    this.#pending = queued;
    // The socket buffers what is written before it is connected.
    (this.#wire ?? this.#open()).send(queued.request());
  }

  #open(): Wire {
    const wire = new Wire(
      this.#port,
      (status, answer) => {
        const queued = this.#pending;
        this.#pending = undefined;
        queued?.answered(status, answer);
        this.#next();
      },
      (error) => {
        if (this.#wire !== wire) return;
        this.#wire = undefined;
        wire.close();
        const queued = this.#pending;
        this.#pending = undefined;
        // Browsers retry such a request as well.
        if (queued && error instanceof IdleConnection) return this.#start(queued);
        queued?.lost(error.message);
        this.#next();
      },
    );
    this.#wire = wire;
    return wire;
  }

  /** The response callback may have sent the next request. */
  #next(): void {
    if (this.#pending) return;
    const next = this.#waiting.shift();
    if (next) this.#start(next);
  }

  #loseAll(why: string): void {
    const all = [...(this.#pending ? [this.#pending] : []), ...this.#waiting];
    this.#pending = undefined;
    this.#waiting = [];
    for (const queued of all) queued.lost(why);
  }
}
