import { IdleConnection, Wire } from '../answer-path/wire.ts';

/** One request that waits for its turn on a connection. */
export interface Errand {
  /** Made when it is sent. */
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

  /** Ends the connection; what was not answered is lost. */
  close(): void {
    this.#wire?.close();
    this.#wire = undefined;
    this.#loseAll('nothing came in time');
  }

  #start(errand: Errand): void {
    this.#underWay = errand;
    // What is written before the connection is there waits in the socket.
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

  /** An answer may have sent the next request itself. */
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
