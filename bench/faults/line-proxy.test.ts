import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LineProxy, startLineProxy } from './line-proxy.ts';

/** Long enough for what comes through at once. */
const SOON_MS = 80;

describe('the line', () => {
  let echo: Server;
  /** What reached the server. */
  let heard: string;
  let serverSides: Socket[];
  let proxy: LineProxy;
  let client: Socket;
  /** What came back. */
  let said: string;
  let closed: string | null;

  beforeEach(async () => {
    heard = '';
    serverSides = [];
    echo = createServer((socket) => {
      serverSides.push(socket);
      socket.on('error', () => socket.destroy());
      socket.on('data', (chunk) => {
        heard += chunk;
        socket.write(chunk);
      });
    });
    echo.listen(0, '127.0.0.1');
    await once(echo, 'listening');
    proxy = await startLineProxy((echo.address() as AddressInfo).port);
    said = '';
    closed = null;
    client = connect({ host: '127.0.0.1', port: proxy.port });
    client.on('data', (chunk) => {
      said += chunk;
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

  it('drops: nothing arrives, nothing breaks, and later things pass again', async () => {
    proxy.set({ kind: 'drop' });
    client.write('lost');
    await delay(SOON_MS);
    expect([heard, said, closed]).toEqual(['', '', null]);
    proxy.set({ kind: 'pass' });
    client.write('kept');
    await expect.poll(() => said).toBe('kept');
  });

  it('swallows replies: the server has heard, the client is not told', async () => {
    proxy.set({ kind: 'swallow' });
    client.write('save');
    await expect.poll(() => heard).toBe('save');
    await delay(SOON_MS);
    expect([said, closed, proxy.swallowed]).toEqual(['', null, 4]);
  });

  it('resets: the client sees a broken line, and so does the server', async () => {
    client.write('x');
    await expect.poll(() => said).toBe('x');
    proxy.reset();
    await expect.poll(() => closed).toBe('ECONNRESET');
    await expect.poll(() => serverSides.every(({ destroyed }) => destroyed)).toBe(true);
  });

  it('half-open: the server side is gone and the client does not learn of it', async () => {
    client.write('x');
    await expect.poll(() => said).toBe('x');
    proxy.set({ kind: 'half-open' });
    await expect.poll(() => serverSides.every(({ destroyed }) => destroyed)).toBe(true);
    client.write('y');
    await delay(SOON_MS);
    expect([heard, closed]).toEqual(['x', null]);
  });

  it('is late by its latency, and slow by its rate, in order', async () => {
    proxy.set({ kind: 'latency', ms: 60 });
    const from = performance.now();
    client.write('a');
    await expect.poll(() => said, { interval: 5 }).toBe('a');
    expect(performance.now() - from).toBeGreaterThan(115);
    proxy.set({ kind: 'slow', bytesPerSecond: 1_000 });
    client.write('b'.repeat(100));
    await delay(SOON_MS);
    expect(said).toBe('a');
    await expect.poll(() => said).toBe(`a${'b'.repeat(100)}`);
  });

  it('brings the last words of a server that closes', async () => {
    client.write('bye');
    await expect.poll(() => said).toBe('bye');
    serverSides[0]?.end('last');
    await expect.poll(() => closed).toBe('end');
    expect(said).toBe('byelast');
  });
});
