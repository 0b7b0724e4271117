import { connect, type Socket } from 'node:net';

/** Called with the status and the whole response, which is valid during the call only. */
export type OnReply = (status: number, answer: Buffer) => void;

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH_NAME = Buffer.from('content-length: ');
const STATUS_AT = 'HTTP/1.1 '.length;
const ZERO = 48;
const BUFFER_BYTES = 16_384;

const IDLE = 'HTTP/1.1 408';

/** The server closed an idle connection; a request sent at that moment was not read. */
export class IdleConnection extends Error {}

/**
 * One keep-alive connection with one request at a time: the subset of HTTP/1.1 that our server uses
 * (every response has a Content-Length). `node:http` would cost the load generator several times what
 * the server spends on a request, and both share the machine.
 */
export class Wire {
  readonly #socket: Socket;
  readonly #onReply: OnReply;
  readonly #onBroken: (error: Error) => void;
  #partial: Buffer | undefined;

  constructor(port: number, onReply: OnReply, onBroken: (error: Error) => void) {
    this.#onReply = onReply;
    this.#onBroken = onBroken;
    this.#socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(BUFFER_BYTES),
        callback: (length, buffer) => {
          this.#read(Buffer.from(buffer.buffer, buffer.byteOffset, length));
          return true;
        },
      },
    });
    this.#socket.on('error', onBroken);
    this.#socket.on('end', () => onBroken(new Error('the server closed a connection')));
  }

  opened(): Promise<void> {
    return new Promise((resolve) => this.#socket.once('connect', () => resolve()));
  }

  /** The bytes must not change until the reply. */
  send(request: Buffer): void {
    this.#socket.write(request);
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(bytes: Buffer): void {
    const answer = this.#partial ? Buffer.concat([this.#partial, bytes]) : bytes;
    const headEnd = answer.indexOf(HEAD_END);
    const length = headEnd < 0 ? 0 : bodyLength(answer);
    if (length === undefined) {
      const head = answer.toString('latin1', 0, headEnd);
      this.#onBroken(
        head.startsWith(IDLE) ? new IdleConnection(head) : new Error(`no content-length: ${head}`),
      );
      return;
    }
    if (headEnd < 0 || answer.length < headEnd + HEAD_END.length + length) {
      this.#partial = Buffer.from(answer);
      return;
    }
    this.#partial = undefined;
    this.#onReply(digits(answer, STATUS_AT), answer);
  }
}

function bodyLength(answer: Buffer): number | undefined {
  const at = answer.indexOf(LENGTH_NAME);
  return at < 0 ? undefined : digits(answer, at + LENGTH_NAME.length);
}

function digits(bytes: Buffer, from: number): number {
  let value = 0;
  for (let i = from; ; i += 1) {
    const digit = (bytes[i] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) return value;
    value = value * 10 + digit;
  }
}
