import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A server on loopback that accepts connections and never responds. */
export interface SilentServer {
  port: number;
  /** How many connections it has accepted. */
  readonly taken: number;
  close(): Promise<void>;
}

export async function startSilentServer(): Promise<SilentServer> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get taken() {
      return sockets.length;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
