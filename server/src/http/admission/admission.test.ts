import type { Endpoint } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import { BUDGET_LIMITS, REQUEST_LIMITS } from '@invigil/core/domain/limits';
import type { TestApp } from '@invigil/testkit/app';
import {
  type BegunAttempt,
  beginAttempt,
  setUpApp,
  signInAdmin,
  useUpBudget,
} from '@invigil/testkit/factories';
import { portOf, requestOf } from '@invigil/testkit/left-requests';
import { openRawConnection, rawHead } from '@invigil/testkit/raw-connection';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { recordAliveAndRecover } from '../../jobs/liveness/liveness.ts';

const MEGABYTE = 1_048_576;

const connectionsOf = ({ fastify }: TestApp) =>
  new Promise<number>((resolve) => {
    fastify.server.getConnections((_, n) => resolve(n));
  });

describe('admission control', () => {
  const app = setUpApp({ REQUEST_BUDGET: '1' });
  let admin: string;
  let attempt: BegunAttempt;
  let other: BegunAttempt;

  beforeAll(async () => {
    admin = await signInAdmin(app, 'admin@example.org');
  });
  beforeEach(async () => {
    attempt = await beginAttempt(app, admin);
    other = await beginAttempt(app, admin, attempt.quiz);
  });

  const heartbeat = (body: unknown, as = attempt.candidate.cookie) =>
    app.call('heartbeat', { as, params: { id: attempt.id }, body });
  /** Stops refilling the buckets. */
  const freezeBudgets = () => {
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now);
  };
  afterEach(() => {
    vi.restoreAllMocks();
  });
  const flood = (n: number) => Promise.all(Array.from({ length: n }, () => heartbeat({ seq: 1 })));

  describe('refuses a body before it is parsed', () => {
    it('of a heartbeat or sign-in above 4 KiB', async () => {
      const parse = vi.spyOn(JSON, 'parse');
      const monitor = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`k${i}`, i]));
      expect(await heartbeat({ seq: 1, monitor })).toMatchObject({
        status: 413,
        body: { code: 'TOO_LARGE' },
      });
      const body = { email: 'a@example.org', password: 'x'.repeat(5_000) };
      expect((await app.call('login', { body })).status).toBe(413);
      // Only by how the test interprets the refusals.
      expect(parse.mock.calls.every(([text]) => String(text).length < 1_000)).toBe(true);
      parse.mockRestore();
    });
  });

  it.each([
    [
      'more than 50 entries',
      Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 1])),
    ],
    ['a nested record', { camera: { kind: 'live' } }],
    ['a long string', { camera: 'x'.repeat(501) }],
  ])('refuses a monitor with %s', async (_, monitor) => {
    expect((await heartbeat({ seq: 1, monitor })).status).toBe(400);
  });

  it.each(
    (Object.keys(ENDPOINTS) as EndpointName[]).filter(
      (name) =>
        ENDPOINTS[name].access === 'public' || /participant/.test(`${ENDPOINTS[name].access}`),
    ),
  )('accepts less than a megabyte from strangers and candidates: %s', (name) => {
    const row: Endpoint = ENDPOINTS[name];
    const { bodyLimit = REQUEST_LIMITS.bodyBytes } = row;
    // A submit is also limited by its paper.
    expect(bodyLimit).toBeLessThanOrEqual(name === 'submitParticipant' ? 2 * MEGABYTE : MEGABYTE);
  });

  it('refuses a session over its budget, with a time to retry, and no one else', async () => {
    await attempt.heartbeat();
    freezeBudgets();
    const replies = await flood(BUDGET_LIMITS.session.burst + 200);
    const refused = replies.filter((reply) => reply.status === 429);
    expect(refused.length).toBeGreaterThan(100);
    expect(refused[0]).toMatchObject({ body: { code: 'TOO_MANY_REQUESTS' } });
    expect(refused[0]?.headers['retry-after']).toBe('1');
    expect((await other.save(0, 0, 1)).status).toBe(200);
    // Signing in again renews nothing.
    await attempt.signIn();
    await attempt.heartbeat();
    expect((await flood(100)).some((reply) => reply.status === 429)).toBe(true);
  });

  /** The full budget of this attempt's session, while time stands still. */
  const fullBudgetOf = ({ candidate }: BegunAttempt) => {
    const now = performance.now() + 60_000;
    vi.spyOn(performance, 'now').mockReturnValue(now);
    const { bucket } = app.context.budgets.callerOf(candidate.cookie) ?? {};
    if (!bucket) throw new Error('the session is unknown');
    return {
      take: (tokens: number) => bucket.take(tokens, now),
      left: () => {
        let tokens = 0;
        while (bucket.take(1, now) === 0) tokens += 1;
        return tokens;
      },
    };
  };

  it('costs ten tokens more for a body of 40 KB', async () => {
    const costOf = async (one: BegunAttempt, bytes: number) => {
      const budget = fullBudgetOf(one);
      await app.fastify.inject({
        method: ENDPOINTS.saveAnswers.method,
        url: ENDPOINTS.saveAnswers.path.replace(':id', one.id),
        headers: {
          cookie: `invigil_session=${one.candidate.cookie}`,
          'content-type': 'application/json',
        },
        payload: '{"answers":[]}'.padEnd(bytes),
      });
      return BUDGET_LIMITS.session.burst - budget.left();
    };
    const small = await costOf(attempt, 100);
    expect(small).toBeGreaterThan(0);
    expect((await costOf(other, 40_960)) - small).toBe(10);
  });

  it('refuses strangers when too many wait already, and no one else', async () => {
    const address = '198.51.100.11';
    const more = 50;
    const requests = Array.from({ length: BUDGET_LIMITS.strangersInFlight + more }, () =>
      app.call('getReceiptKey', { address }),
    );
    const known = app.call('me', { as: other.candidate.cookie, address });
    const replies = await Promise.all(requests);
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(more);
    for (const reply of refused) {
      expect(reply).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
      expect(reply.headers['retry-after']).toBe('1');
    }
    expect((await known).status).toBe(200);
    // Each releases its place.
    expect((await app.call('getReceiptKey', { address })).status).toBe(200);
  });

  it('limits the concurrent requests of a session', async () => {
    const held = await app.pool.connect();
    await held.query('begin');
    await held.query('select 1 from participants where id = $1 for update', [attempt.id]);
    const replies = Array.from({ length: BUDGET_LIMITS.session.inFlight + 10 }, () =>
      heartbeat({ seq: 1 }),
    );
    const first = await Promise.race(replies);
    expect(first).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } });
    await held.query('rollback');
    held.release();
    const statuses = (await Promise.all(replies)).map((reply) => reply.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(
      BUDGET_LIMITS.session.inFlight,
    );
    expect((await heartbeat({ seq: 2 })).status).toBe(200);
  });

  it('counts what goes on for those who have left', async () => {
    const port = await portOf(app);
    const held = await app.pool.connect();
    await held.query('begin');
    await held.query('select 1 from participants where id = $1 for update', [attempt.id]);
    const { cookie } = attempt.candidate;
    const beat = { as: cookie, params: { id: attempt.id }, body: { seq: 1 } };
    const connections = Array.from({ length: BUDGET_LIMITS.session.inFlight }, () =>
      openRawConnection(port),
    );
    for (const { write } of connections) write(String(requestOf('heartbeat', beat)));
    const caller = app.context.budgets.callerOf(cookie);
    await expect.poll(() => caller?.inFlight).toBe(BUDGET_LIMITS.session.inFlight);
    for (const { destroy } of connections) destroy();
    await expect.poll(() => connectionsOf(app)).toBe(0);
    expect(await app.call('me', { as: cookie })).toMatchObject({ status: 429 });
    expect((await app.call('me', { as: other.candidate.cookie })).status).toBe(200);
    await held.query('rollback');
    held.release();
    await expect.poll(() => caller?.inFlight).toBe(0);
    expect((await heartbeat({ seq: 2 })).status).toBe(200);
  });

  it('gives every place back, whenever in a request its sender leaves', async () => {
    const port = await portOf(app);
    const { cookie } = attempt.candidate;
    const caller = app.context.budgets.callerOf(cookie);
    const call = { as: cookie, params: { id: attempt.id } };
    for (const request of [
      String(requestOf('heartbeat', { ...call, body: { seq: 1 } })),
      String(requestOf('saveAnswers', { ...call, body: { answers: [] } })),
      String(requestOf('me', { as: cookie })),
    ]) {
      const head = request.indexOf('\r\n\r\n') + 4;
      for (const sent of [head - 2, head, head + 1, request.length - 1, request.length]) {
        for (let i = 0; i < 8; i += 1) {
          const { write, destroy } = openRawConnection(port);
          write(request.slice(0, sent));
          // At once, or while it is being read and answered.
          await new Promise((resolve) => setTimeout(resolve, i));
          destroy();
        }
      }
    }
    await expect.poll(() => connectionsOf(app)).toBe(0);
    await expect.poll(() => caller?.inFlight).toBe(0);
    expect((await heartbeat({ seq: 2 })).status).toBe(200);
  });

  it('ends a file with its connection, also one that is sent to no one', async () => {
    const port = await portOf(app);
    const as = await signInAdmin(app, 'files@example.org');
    await app.pool.query(
      `insert into users (id, email, created_at)
       select gen_random_uuid(), 'many' || i || '@example.org', now() from generate_series(1, 12000) i`,
    );
    const query = vi.spyOn(app.pool, 'query');
    const request = String(requestOf('exportPeople', { as, query: { format: 'csv' } }));
    // Fastify answers HEAD by making the whole file.
    const { write, next, destroy } = openRawConnection(port);
    write(request.replace(/^GET/, 'HEAD'));
    expect((await next())?.status).toBe(200);
    destroy();
    const caller = app.context.budgets.callerOf(as);
    await expect.poll(() => caller?.inFlight).toBe(0);
    await app.call('me', { as });
    const reads = query.mock.calls.filter(([text]) =>
      JSON.stringify(text).includes('from \\"users\\"'),
    );
    // The whole file has twelve portions.
    expect(reads.length).toBeLessThan(6);
    await app.pool.query(`delete from users where email like 'many%'`);
  });

  it('limits strangers by their network, but not the candidates behind the same address', async () => {
    const address = '198.51.100.9';
    freezeBudgets();
    app.context.budgets.networkOf(address).take(BUDGET_LIMITS.network.burst, performance.now());
    expect(await app.call('getReceiptKey', { address })).toMatchObject({
      status: 429,
      body: { code: 'TOO_MANY_REQUESTS' },
    });
    expect((await app.call('getReceiptKey', { address: '198.51.100.10' })).status).toBe(200);
    expect((await app.call('me', { as: other.candidate.cookie, address })).status).toBe(200);
  });

  it.each([
    [14, false],
    [16, true],
  ])(
    'with a flood %i minutes before an outage grants the extra minute: %s',
    async (minutes, isGiven) => {
      await app.pool.query('delete from liveness');
      await attempt.heartbeat();
      freezeBudgets();
      await flood(BUDGET_LIMITS.session.burst + 200);
      const floods = async () =>
        (
          await app.pool.query(
            "select from participant_events where participant_id = $1 and kind = 'flooded'",
            [attempt.id],
          )
        ).rows.length;
      await expect.poll(floods).toBe(1);
      expect((await attempt.row()).review_flags).toBe(1);
      const closeTimes = async () => {
        const rows = await Promise.all([attempt.row(), other.row()]);
        return rows.map((row) => String(row.close_at));
      };
      const before = await closeTimes();
      app.clock.advance({ minutes });
      await recordAliveAndRecover(app.context, app.clock.now());
      app.clock.advance({ minutes: 25 - minutes });
      await recordAliveAndRecover(app.context, app.clock.now());
      const after = await closeTimes();
      // The other attempt caused no flood.
      expect(after.map((at, i) => at !== before[i])).toEqual([isGiven, true]);
    },
  );
});

describe('a connection whose request was refused', () => {
  const app = setUpApp({ REQUEST_BUDGET: '1' });
  let port: number;
  let admin: string;
  let attempt: BegunAttempt;
  let cookie: string;
  beforeAll(async () => {
    admin = await signInAdmin(app, 'admin@example.org');
    port = Number(new URL(await app.fastify.listen({ port: 0, host: '127.0.0.1' })).port);
  });
  beforeEach(async () => {
    attempt = await beginAttempt(app, admin);
    cookie = attempt.candidate.cookie;
  });

  const request = () => rawHead('GET', '/api/auth/me', { cookie: `invigil_session=${cookie}` });
  /** A connection, with the status of each answer on it; `null` when it was ended. */
  const open = () => {
    const connection = openRawConnection(port);
    const next = async () => {
      const answer = await connection.next();
      return answer && String(answer.status);
    };
    return { ...connection, next };
  };
  const useUpTheBudget = () => useUpBudget(app, { session: cookie });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  describe('is answered before any of its body arrived', () => {
    /** The head of a request, without the body that it announces. */
    const head = (name: 'login' | 'heartbeat' | 'saveAnswers', bytes: number) =>
      rawHead(ENDPOINTS[name].method, ENDPOINTS[name].path.replace(':id', attempt.id), {
        ...(name === 'login' ? {} : { cookie: `invigil_session=${cookie}` }),
        'content-type': 'application/json',
        'content-length': String(bytes),
      });

    it.each<[string, Parameters<typeof head>[0], number, () => void]>([
      ['429 when the session has used up its budget', 'heartbeat', 20, useUpTheBudget],
      ['429 when the network has', 'login', 100, () => useUpBudget(app, { network: '127.0.0.1' })],
      ['413 when it exceeds the answers to its paper', 'saveAnswers', 40_960, () => undefined],
    ])('with %s', async (status, name, bytes, prepare) => {
      const { write, next, destroy } = open();
      prepare();
      write(head(name, bytes));
      expect(await next()).toBe(status.slice(0, 3));
      destroy();
    });

    it('with 413 when a heartbeat has a megabyte, and is closed soon after', {
      tags: 'long',
    }, async () => {
      const { write, next, closed } = open();
      // The shortest pause before it is closed.
      vi.spyOn(Math, 'random').mockReturnValue(0);
      write(head('heartbeat', MEGABYTE));
      expect(await next()).toBe('413');
      const from = Date.now();
      expect(await closed).toBeNull();
      // Long before the timeout of a slow request.
      const pauseMs = BUDGET_LIMITS.pauseMs * BUDGET_LIMITS.pauseLargeFactor;
      expect(Date.now() - from).toBeLessThan(pauseMs * 1.4);
    });
  });

  it('is not read from for a second', async () => {
    const { write, next, destroy } = open();
    write(request());
    expect(await next()).toBe('200');
    useUpTheBudget();
    const from = Date.now();
    write(request());
    expect(await next()).toBe('429');
    write(request());
    expect(await next()).toBe('429');
    expect(Date.now() - from).toBeGreaterThan(BUDGET_LIMITS.pauseMs * 0.8);
    destroy();
  });

  it('is not read from for five seconds at most', { tags: 'long' }, async () => {
    const { write, next, destroy } = open();
    write(request());
    expect(await next()).toBe('200');
    // The longest pause.
    vi.spyOn(Math, 'random').mockReturnValue(0.999);
    useUpTheBudget();
    const from = Date.now();
    write(request());
    expect(await next()).toBe('429');
    write(request());
    expect(await next()).toBe('429');
    expect(Date.now() - from).toBeGreaterThan(4_500);
    expect(Date.now() - from).toBeLessThan(10_000);
    destroy();
  });

  it('is not read from for a second after a guess that the throttle refused', {
    tags: 'long',
  }, async () => {
    const body = JSON.stringify({ email: 'nobody@example.org', password: 'AAAAA-AAAAA-AAAAA' });
    const guess = `POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const { write, next, destroy } = open();
    write(guess);
    expect(await next()).toBe('401');
    const from = Date.now();
    write(guess);
    expect(await next()).toBe('429');
    write(request());
    expect(await next()).toBe('200');
    expect(Date.now() - from).toBeGreaterThan(BUDGET_LIMITS.pauseMs * 0.8);
    destroy();
  });

  it('is closed when it sent more without waiting for the answer', async () => {
    const { write, closed } = open();
    useUpTheBudget();
    write(request().repeat(10));
    expect(await closed).toBeNull();
  });
});
