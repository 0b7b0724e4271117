import { IdleConnection, Wire } from '../answer-path/wire.ts';

/** One request queued on a connection. */
export interface Errand {
  /** Built when it is sent. */
  request(): Buffer;
  answered(status: number, answer: Buffer): void;
  lost(why: string): void;
}

/**
 * One candidate's own connection, one request on it at a time as a browser's queue sends them. What
 * comes while another is under way waits, and its waiting counts. A connection that the server closed
 * is opened again for the next request.
 */
export class Sitter {
  readonly #port: number;
  #wire: Wire | undefined;
  #underWay: Errand | undefined;
  #waiting: Errand[] = [];

  constructor(port: number) {
    this.#port = port;
  }

  get isBusy(): boolean {
    return this.#underWay !== undefined;
  }

  /** Opens the connection ahead of its use, if it is not open. */
  async connect(): Promise<void> {
    if (!this.#wire) await this.#open().opened();
  }

  send(errand: Errand): void {
    if (this.#underWay) this.#waiting.push(errand);
    else this.#start(errand);
  }

  /** Closes the connection; unanswered requests are lost. */
  close(): void {
    this.#wire?.close();
    this.#wire = undefined;
    this.#loseAll('timed out');
  }

  #start(errand: Errand): void {
    this.#underWay = errand;
    // The socket buffers what is written before it is connected.
    (this.#wire ?? this.#open()).send(errand.request());
  }

  #open(): Wire {
    const wire = new Wire(
      this.#port,
      (status, answer) => {
        const errand = this.#underWay;
        this.#underWay = undefined;
        errand?.answered(status, answer);
        this.#next();
      },
      (error) => {
        if (this.#wire !== wire) return;
        this.#wire = undefined;
        wire.close();
        const errand = this.#underWay;
        this.#underWay = undefined;
        // As browsers do.
        if (errand && error instanceof IdleConnection) return this.#start(errand);
        errand?.lost(error.message);
        this.#next();
      },
    );
    this.#wire = wire;
    return wire;
  }

  /** The response callback may have sent the next request. */
  #next(): void {
    if (this.#underWay) return;
    const next = this.#waiting.shift();
    if (next) this.#start(next);
  }

  #loseAll(why: string): void {
    const all = [...(this.#underWay ? [this.#underWay] : []), ...this.#waiting];
    this.#underWay = undefined;
    this.#waiting = [];
    for (const errand of all) errand.lost(why);
  }
}
