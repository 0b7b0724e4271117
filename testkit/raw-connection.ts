import { connect } from 'node:net';

export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A TCP connection to a server, to send what no HTTP client would. */
export interface RawConnection {
  /** False once the connection has ended. */
  write(text: string): boolean;
  /** The next response; `null` when the connection ends before it is complete. */
  next(): Promise<RawResponse | null>;
  /** The server has closed its side. */
  closed: Promise<null>;
  destroy(): void;
}

/** @param port of this machine */
export function openRawConnection(port: number): RawConnection {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  socket.setEncoding('latin1').on('error', () => undefined);
  let received = '';
  let onMore: () => void = () => undefined;
  socket.on('data', (text: string) => {
    received += text;
    onMore();
  });
  const closed = new Promise<null>((resolve) => {
    const end = () => resolve(null);
    socket.once('end', end).once('close', end);
  });
  const response = async (): Promise<RawResponse> => {
    for (;;) {
      const [head = '', rest] = splitOnce(received, '\r\n\r\n');
      const headers = Object.fromEntries(
        head
          .split('\r\n')
          .slice(1)
          .map((line) => [
            line.slice(0, line.indexOf(':')).toLowerCase(),
            line.slice(line.indexOf(':') + 2),
          ]),
      );
      const length = Number(headers['content-length'] ?? 0);
      if (rest !== undefined && rest.length >= length) {
        received = rest.slice(length);
        return { status: Number(head.slice(9, 12)), headers, body: rest.slice(0, length) };
      }
      await new Promise<void>((resolve) => {
        onMore = resolve;
      });
    }
  };
  return {
    write(text) {
      if (socket.writable) socket.write(text);
      return socket.writable;
    },
    next: () => Promise.race([response(), closed]),
    closed,
    destroy: () => void socket.destroy(),
  };
}

function splitOnce(text: string, by: string): [string, string?] {
  const at = text.indexOf(by);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + by.length)];
}

/** The head of a request, as it is sent. */
export function rawHead(
  method: string,
  target: string,
  headers: Record<string, string> = {},
): string {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([k, v]) => `${k}: ${v}`);
  return `${[`${method} ${target} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`;
}
