import { Agent, createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ENDPOINTS } from '@invigil/core/contract/endpoints';
import { BUDGET_LIMITS, REQUEST_LIMITS } from '@invigil/core/domain/limits';
import {
  type BegunAttempt,
  beginAttempt,
  setUpApp,
  signInAdmin,
  useUpBudget,
} from '@invigil/testkit/factories';
import { openRawConnection, type RawConnection, rawHead } from '@invigil/testkit/raw-connection';
import { inForm } from '@invigil/testkit/test-form';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../runtime/app-error.ts';

const HEALTHY = rawHead('GET', '/healthz');
const SMALL = 6_000;
const LARGE = 400_000;

describe('the body of a refused request', () => {
  const app = setUpApp({ REQUEST_BUDGET: '1', TRUST_PROXY: '127.0.0.1' });
  let port: number;
  let attempt: BegunAttempt;
  const { login, heartbeat, createQuiz, submitParticipant } = ENDPOINTS;

  beforeAll(async () => {
    // Behind a proxy connections are shared, so none is paused.
    attempt = await beginAttempt(app, await signInAdmin(app));
    await attempt.heartbeat();
    port = Number(new URL(await app.fastify.listen({ port: 0, host: '127.0.0.1' })).port);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    // A submit in chunks costs as much as the largest one.
    const { bucket } = app.context.budgets.callerOf(attempt.candidate.cookie) ?? {};
    bucket?.take(-BUDGET_LIMITS.session.burst, performance.now());
  });

  const cookie = () => ({ cookie: `invigil_session=${attempt.candidate.cookie}` });
  interface Refused {
    method?: string;
    path: string;
    headers?: Record<string, string>;
    before?(): void;
  }
  /** Every way to refuse, by its status. */
  const WAYS: [status: number, way: string, () => Refused][] = [
    [400, 'a path that cannot be read', () => ({ path: '/api/%ff' })],
    [400, 'a target with a host', () => ({ path: `http://localhost${login.path}` })],
    [401, 'no session', () => ({ path: heartbeat.path.replace(':id', attempt.id) })],
    [403, 'another role', () => ({ path: createQuiz.path, headers: cookie() })],
    [
      403,
      'another site',
      () => ({ path: login.path, headers: { origin: 'https://evil.example' } }),
    ],
    [404, 'nothing there', () => ({ path: '/api/nothing' })],
    [404, 'a method that nothing has', () => ({ path: login.path, method: 'PATCH' })],
    [413, 'too large', () => ({ path: login.path })],
    [
      413,
      'larger than the answers to the paper',
      () => ({ path: submitParticipant.path.replace(':id', attempt.id), headers: cookie() }),
    ],
    [
      415,
      'an unknown type',
      () => ({
        path: submitParticipant.path.replace(':id', attempt.id),
        headers: { ...cookie(), 'content-type': 'text/plain' },
      }),
    ],
    [
      429,
      'a session without budget',
      () => ({
        path: heartbeat.path.replace(':id', attempt.id),
        headers: cookie(),
        before: () => useUpBudget(app, { session: attempt.candidate.cookie }),
      }),
    ],
    [
      429,
      'a network without budget',
      () => ({ path: login.path, before: () => useUpBudget(app, { network: '198.51.100.7' }) }),
    ],
    [
      503,
      'an outage',
      () => ({
        path: heartbeat.path.replace(':id', attempt.id),
        headers: cookie(),
        before: () =>
          vi.spyOn(app.context.liveness, 'caughtUp').mockRejectedValue(new AppError('UNAVAILABLE')),
      }),
    ],
  ];

  /** The request on the same connection is answered, or the response has announced its end. */
  async function expectSettled(connection: RawConnection, closes: boolean): Promise<void> {
    if (closes) return void expect(await connection.closed).toBeNull();
    connection.write(HEALTHY);
    expect(await connection.next()).toMatchObject({ status: 200, body: '{"status":"ok"}' });
    connection.destroy();
  }

  describe.each(WAYS)('with %i: %s', (status, _, describeIt) => {
    const begin = (framing: Record<string, string>) => {
      const { method = 'POST', path, headers, before } = describeIt();
      before?.();
      const connection = openRawConnection(port);
      const type = { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.7' };
      connection.write(rawHead(method, path, { ...type, ...framing, ...headers }));
      return connection;
    };
    /** A small body may fit, but is no JSON; a large one is too large for most endpoints in any case. */
    const statusesFor = (bytes: number) => [status, bytes === SMALL && status === 413 ? 400 : 413];
    /** None comes before the body is here where a body is accepted. */
    const response = async (connection: RawConnection, sendRest: () => void) => {
      const first = await Promise.race([connection.next(), delay(100)]);
      sendRest();
      return first ?? (await connection.next());
    };

    it.each([
      [SMALL, 'by its length'],
      [LARGE, 'by its length'],
      [SMALL, 'in chunks'],
      [LARGE, 'in chunks'],
    ])('of %i bytes, %s', async (bytes, how) => {
      const isChunked = how === 'in chunks';
      const connection = begin(
        isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': `${bytes}` },
      );
      const half = 'x'.repeat(bytes / 2);
      const part = isChunked ? `${half.length.toString(16)}\r\n${half}\r\n` : half;
      connection.write(part);
      const refusal = await response(connection, () =>
        connection.write(isChunked ? `${part}0\r\n\r\n` : part),
      );
      if (refusal === null) throw new Error('no response');
      expect(statusesFor(bytes)).toContain(refusal.status);
      await expectSettled(connection, refusal.headers.connection === 'close');
    });
  });

  it('that is not JSON has been read: the next request is answered', async () => {
    const connection = openRawConnection(port);
    const json = { 'content-type': 'application/json', 'content-length': '9' };
    connection.write(`${rawHead('POST', login.path, json)}{"email":`);
    expect(await connection.next()).toMatchObject({ status: 400 });
    await expectSettled(connection, false);
  });

  it('that never ends is cut off', async () => {
    const connection = openRawConnection(port);
    connection.write(rawHead('POST', '/api/nothing', { 'transfer-encoding': 'chunked' }));
    expect(await connection.next()).toMatchObject({
      status: 404,
      headers: { connection: 'close' },
    });
    const before = process.memoryUsage.rss();
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    let sent = 0;
    for (let isOpen = true; isOpen; sent += chunk.length) {
      isOpen = connection.write(chunk);
      await delay(1);
    }
    // The client has sent the limit at most, and what systems buffer.
    expect(sent).toBeLessThan(REQUEST_LIMITS.discardMaxBytes + 16 * 1_048_576);
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1_048_576);
  });

  it('poisons no connection of a proxy for others', async () => {
    const { poisons, others } = inForm({
      short: { poisons: 20, others: 200 },
      long: { poisons: 100, others: 1_000 },
    });
    const proxy = await startProxy(port);
    const { port: proxied } = proxy.address() as AddressInfo;
    const ways = WAYS.filter(([status]) => status !== 503 && status !== 429);
    const poisoning = Array.from({ length: poisons }, async (_, n) => {
      const { method = 'POST', path, headers } = (ways[n % ways.length] ?? WAYS[0])?.[2]() ?? {};
      const connection = openRawConnection(proxied);
      const length = n % 2 ? SMALL : LARGE;
      const framing: Record<string, string> =
        n % 3 ? { 'content-length': `${length}` } : { 'transfer-encoding': 'chunked' };
      const target = (path ?? '').replace('http://localhost', '');
      connection.write(
        rawHead(method, target, { 'content-type': 'application/json', ...framing, ...headers }),
      );
      if (n % 3) connection.write('x'.repeat(length / 2));
      // The rest never comes, nor does an answer where a body would be accepted.
      await Promise.race([connection.next(), delay(500)]);
      connection.destroy();
    });
    const statuses = await Promise.all(
      Array.from({ length: others }, async (_, n) => {
        await delay(n);
        return (await fetch(`http://127.0.0.1:${proxied}/healthz`)).status;
      }),
    );
    await Promise.all(poisoning);
    proxy.closeAllConnections();
    proxy.close();
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });
});

/** A proxy that passes bodies on as they arrive, over few connections that all share. */
async function startProxy(to: number): Promise<Server> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const proxy = createServer((incoming, outgoing) => {
    const passed = forward(
      {
        ...{ agent, host: '127.0.0.1', port: to, path: incoming.url, method: incoming.method },
        headers: { ...incoming.headers, 'x-forwarded-for': '198.51.100.8' },
      },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      },
    );
    passed.on('error', () => outgoing.destroy());
    incoming.on('error', () => passed.destroy());
    outgoing.on('close', () => incoming.complete || passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}
