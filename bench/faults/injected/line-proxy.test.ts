import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LineProxy, startLineProxy } from './line-proxy.ts';

/** Long enough for data to pass the proxy. */
const SOON_MS = 80;

describe('the line proxy', () => {
  let echo: Server;
  /** Data that reached the server. */
  let received: string;
  let serverSides: Socket[];
  let proxy: LineProxy;
  let client: Socket;
  /** Data that reached the client. */
  let returned: string;
  let closed: string | null;

  beforeEach(async () => {
    received = '';
    serverSides = [];
    echo = createServer((socket) => {
      serverSides.push(socket);
      socket.on('error', () => socket.destroy());
      socket.on('data', (chunk) => {
        received += chunk;
        socket.write(chunk);
      });
    });
    echo.listen(0, '127.0.0.1');
    await once(echo, 'listening');
    proxy = await startLineProxy((echo.address() as AddressInfo).port);
    returned = '';
    closed = null;
    client = connect({ host: '127.0.0.1', port: proxy.port });
    client.on('data', (chunk) => {
      returned += chunk;
    });
    client.on('error', (error) => {
      closed = 'code' in error ? String(error.code) : 'error';
    });
    client.on('close', () => {
      closed ??= 'end';
    });
    await once(client, 'connect');
  });
  afterEach(async () => {
    const gone = client.closed ? undefined : once(client, 'close');
    client.destroy();
    await gone;
    await proxy.close();
    echo.close();
    await once(echo, 'close');
  });

  it('drop: nothing arrives, no connection breaks, and later data passes again', async () => {
    proxy.set({ kind: 'drop' });
    client.write('lost');
    await delay(SOON_MS);
    expect([received, returned, closed]).toEqual(['', '', null]);
    proxy.set({ kind: 'pass' });
    client.write('kept');
    await expect.poll(() => returned).toBe('kept');
  });

  it('swallow: requests reach the server, replies do not reach the client', async () => {
    proxy.set({ kind: 'swallow' });
    client.write('save');
    await expect.poll(() => received).toBe('save');
    await delay(SOON_MS);
    expect([returned, closed, proxy.swallowed]).toEqual(['', null, 4]);
  });

  it('reset: client and server both see a broken connection', async () => {
    client.write('x');
    await expect.poll(() => returned).toBe('x');
    proxy.reset();
    await expect.poll(() => closed).toBe('ECONNRESET');
    await expect.poll(() => serverSides.every(({ destroyed }) => destroyed)).toBe(true);
  });

  it('half-open: the server side is closed and the client does not notice', async () => {
    client.write('x');
    await expect.poll(() => returned).toBe('x');
    proxy.set({ kind: 'half-open' });
    await expect.poll(() => serverSides.every(({ destroyed }) => destroyed)).toBe(true);
    client.write('y');
    await delay(SOON_MS);
    expect([received, closed]).toEqual(['x', null]);
  });

  it('latency and slow: delays data by latency and rate, in order', async () => {
    proxy.set({ kind: 'latency', ms: 60 });
    const from = performance.now();
    client.write('a');
    await expect.poll(() => returned, { interval: 5 }).toBe('a');
    expect(performance.now() - from).toBeGreaterThan(115);
    proxy.set({ kind: 'slow', bytesPerSecond: 1_000 });
    client.write('b'.repeat(100));
    await delay(SOON_MS);
    expect(returned).toBe('a');
    await expect.poll(() => returned).toBe(`a${'b'.repeat(100)}`);
  });

  it('delivers data sent before the server closes', async () => {
    client.write('bye');
    await expect.poll(() => returned).toBe('bye');
    serverSides[0]?.end('last');
    await expect.poll(() => closed).toBe('end');
    expect(returned).toBe('byelast');
  });
});
