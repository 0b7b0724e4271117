import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * How the proxy treats data.
 *
 * - `latency`: everything arrives later.
 * - `drop`: nothing arrives in either direction, not even the end of a connection.
 * - `half-open`: the server's side is closed, and the client does not notice.
 * - `slow`: limited bytes per second in each direction.
 * - `swallow`: requests arrive, replies do not: a commit is not acknowledged.
 */
export type LineMode =
  | { kind: 'pass' }
  | { kind: 'latency'; ms: number }
  | { kind: 'drop' }
  | { kind: 'half-open' }
  | { kind: 'slow'; bytesPerSecond: number }
  | { kind: 'swallow' };

export interface LineProxy {
  port: number;
  /** Total bytes of swallowed replies. */
  readonly swallowed: number;
  set(mode: LineMode): void;
  reset(): void;
  close(): Promise<void>;
}

interface Pair {
  client: Socket;
  server: Socket;
}

/** A proxy on 127.0.0.1 in front of this port. */
export async function startLineProxy(target: number, host = '127.0.0.1'): Promise<LineProxy> {
  let mode: LineMode = { kind: 'pass' };
  let swallowed = 0;
  const pairs = new Set<Pair>();

  const carry = (from: Socket, to: Socket, isReply: boolean) => {
    // Sequential: a later chunk never overtakes an earlier one.
    let last = Promise.resolve();
    from.on('data', (chunk: Buffer) => {
      last = last.then(async () => {
        const now = mode;
        if (now.kind === 'drop' || now.kind === 'half-open') return;
        if (now.kind === 'swallow' && isReply) {
          swallowed += chunk.length;
          return;
        }
        if (now.kind === 'latency') await delay(now.ms);
        if (now.kind === 'slow') await delay((chunk.length / now.bytesPerSecond) * 1_000);
        if (!to.destroyed) to.write(chunk);
      });
    });
    return () => last;
  };

  const listener = createServer({ noDelay: true }, (client) => {
    const server = connect({ host, port: target, noDelay: true });
    const pair = { client, server };
    pairs.add(pair);
    carry(client, server, false);
    const replies = carry(server, client, true);
    const isSilent = () => mode.kind === 'drop' || mode.kind === 'half-open';
    // An error is passed on as a reset of the other side.
    client.on('error', () => client.destroy());
    server.on('error', () => server.destroy());
    client.on('close', () => {
      pairs.delete(pair);
      if (!isSilent()) server.resetAndDestroy();
    });
    server.on('close', () => {
      // Data that the server sent before it closed still arrives.
      if (!isSilent()) void replies().then(() => client.destroySoon());
    });
    if (mode.kind === 'half-open') server.destroy();
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');

  const reset = () => {
    for (const { client, server } of pairs) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
  };
  return {
    port: (listener.address() as AddressInfo).port,
    get swallowed() {
      return swallowed;
    },
    set(next) {
      mode = next;
      if (next.kind === 'half-open') for (const { server } of pairs) server.destroy();
    },
    reset,
    async close() {
      mode = { kind: 'pass' };
      reset();
      listener.close();
      await once(listener, 'close');
    },
  };
}
