import { sentenceOf } from '@invigil/core/contract/definition/errors';
import { inviteCandidate, makeQuiz, setUpAppWithAdmin } from '@invigil/testkit/factories';
import { silentLog } from '@invigil/testkit/silent-log';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createApp } from '../boot/app.ts';
import { openPool } from '../db/connection/pool.ts';
import { isDatabaseAway } from '../db/database-away.ts';
import { deriveKeys } from '../security/keys.ts';

describe('errors', () => {
  const app = setUpAppWithAdmin();
  it.each(['/api/quizzes/%zz/questions', '/%', '/api/%c0%af'])(
    'refuses the malformed path %s in the standard shape',
    async (url) => {
      const response = await app.fastify.inject({ method: 'GET', url });
      expect(response.json()).toEqual({
        statusCode: 400,
        error: 'Bad Request',
        code: 'INVALID_INPUT',
        message: sentenceOf('INVALID_INPUT'),
      });
      expect(response.statusCode).toBe(400);
      expect(response.headers['content-security-policy']).toContain("default-src 'none'");
      expect(response.headers['x-content-type-options']).toBe('nosniff');
      expect(response.headers['cache-control']).toBe('no-store');
    },
  );

  it('names each wrong field, and returns the first message', async () => {
    const reply = await app.call('createQuiz', {
      as: app.admin,
      body: { title: ' ', categoryId: 'x', duration: 500, totalQuestions: 1 },
    });
    expect(reply.body).toEqual({
      statusCode: 400,
      error: 'Bad Request',
      code: 'INVALID_INPUT',
      message: 'Enter a title',
      issues: [
        { path: 'title', message: 'Enter a title' },
        { path: 'categoryId', message: 'Select a category' },
        { path: 'duration', message: 'Duration must be 1 to 180 minutes' },
        { path: 'totalQuestions', message: 'Total questions must be 5 to 100' },
      ],
    });
  });

  it('logs refused sign-ins without what was typed', async () => {
    const lines: Record<string, unknown>[] = [];
    const logged = await createApp({
      config: app.context.config,
      pool: app.pool,
      clock: app.clock,
      keys: app.context.keys,
      log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }),
      webDist: null,
    });
    const ask = (method: 'GET' | 'POST', url: string, headers: object, payload?: object) =>
      logged.fastify.inject({ method, url, headers, ...(payload ? { payload } : {}) } as never);
    const quiz = await makeQuiz(app, app.admin);
    const { cookie } = await inviteCandidate(app, app.admin, quiz.id, 'curious@example.org');
    const typed = { email: 'typed@example.org', password: 'typed at random' };
    await ask('POST', '/api/auth/login', {}, typed);
    await ask('GET', '/api/admins', { cookie: `invigil_session=${cookie}` });
    await ask('POST', '/api/auth/login', { origin: 'https://elsewhere.example' }, typed);
    await ask('GET', '/api/no-such-thing', {});
    await logged.close();
    expect(lines.filter(({ msg }) => msg === 'refused')).toMatchObject([
      { code: 'INVALID_CREDENTIALS', method: 'POST', route: '/api/auth/login' },
      { code: 'FORBIDDEN', method: 'GET', route: '/api/admins', address: '127.0.0.1' },
      { code: 'FOREIGN_ORIGIN', method: 'POST' },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/typed|curious/);
    expect(JSON.stringify(lines)).not.toContain(cookie);
  });

  it('reveals of an internal failure only a reference, which is logged', async () => {
    const lines: Record<string, unknown>[] = [];
    const broken = await createApp({
      config: app.context.config,
      pool: app.pool,
      clock: app.clock,
      keys: deriveKeys('another app'),
      log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }),
      webDist: null,
    });
    await app.pool.query('alter table sessions rename to sessions_away');
    try {
      const response = await broken.fastify.inject({
        url: '/api/auth/me',
        headers: { cookie: 'invigil_session=some-token' },
      });
      const body = response.json();
      expect(body).toEqual({
        statusCode: 500,
        error: 'Internal Server Error',
        code: 'INTERNAL',
        message: 'Something went wrong on our side',
        details: { reference: expect.stringMatching(/^[0-9a-f]{12}-\d+$/) },
      });
      expect(response.body).not.toMatch(/sessions|select|token/i);
      expect(response.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'cache-control': 'no-store',
      });
      expect(lines.at(-1)).toMatchObject({ level: 50, reference: body.details.reference });
      expect(JSON.stringify(lines)).not.toContain('some-token');
    } finally {
      await app.pool.query('alter table sessions_away rename to sessions');
      await broken.close();
    }
  });

  it('answers 503 with a time to retry while the database is away, and recovers', async () => {
    const pool = openPool({ host: '127.0.0.1', port: 1 }, silentLog);
    const away = await createApp({
      config: app.context.config,
      pool,
      clock: app.clock,
      keys: deriveKeys('another app'),
      log: silentLog,
      webDist: null,
    });
    try {
      const headers = { cookie: 'invigil_session=some-token' };
      const calls = [
        { url: '/api/auth/me', headers },
        { method: 'PUT', url: '/api/participants/x/answers', headers, payload: {} },
        {
          method: 'POST',
          url: '/api/auth/login',
          payload: { email: 'a@example.org', password: 'AAAAA-BBBBB-CCCCC' },
        },
        { url: '/readyz' },
      ] as const;
      for (const call of calls) {
        const response = await away.fastify.inject(call);
        expect(response.json(), call.url).toEqual({
          statusCode: 503,
          error: 'Service Unavailable',
          code: 'UNAVAILABLE',
          message: 'The service is busy right now. Try again in a moment',
          details: { reference: expect.stringMatching(/./) },
        });
        expect(response.headers['retry-after']).toBe('2');
      }
      expect((await away.fastify.inject('/healthz')).json()).toEqual({ status: 'ok' });
    } finally {
      await away.close();
      await pool.end();
    }
  });

  it('answers 503 when the connection breaks in a transaction', async () => {
    const quiz = await makeQuiz(app, app.admin);
    const holder = await app.pool.connect();
    try {
      await holder.query('begin');
      await holder.query('select 1 from quizzes where id = $1 for update', [quiz.id]);
      const waiting = app.call('inviteToQuiz', {
        as: app.admin,
        params: { id: quiz.id },
        body: { emails: ['a@example.org'] },
      });
      let ended = 0;
      while (ended === 0) {
        const { rowCount } = await app.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where wait_event_type = 'Lock' and datname = current_database()`,
        );
        ended = rowCount ?? 0;
      }
      const reply = await waiting;
      expect(reply).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
      expect(reply.headers['retry-after']).toBe('2');
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    expect((await app.call('listQuizzes', { as: app.admin })).status).toBe(200);
  });
});

describe('distinguishing an absent database from a bug', () => {
  const failed = (message: string, code?: string, cause?: Error) =>
    Object.assign(new Error(message, cause ? { cause } : {}), code === undefined ? {} : { code });

  it.each([
    ['a refused connection', failed('connect', 'ECONNREFUSED')],
    ['a missing socket', failed('connect', 'ENOENT')],
    ['a name that does not resolve', failed('getaddrinfo', 'EAI_AGAIN')],
    ['an unreachable host', failed('connect', 'EHOSTUNREACH')],
    ['a reset connection', failed('read', 'ECONNRESET')],
    ['a database that is starting', failed('the database system is starting up', '57P03')],
    ['a database that is stopping', failed('terminating connection', '57P01')],
    ['a full disk', failed('could not extend file: No space left on device', '53100')],
    ['too many connections', failed('sorry, too many clients already', '53300')],
    ['no connection within the time', failed('timeout exceeded when trying to connect')],
    ['a dropped connection', failed('Connection terminated unexpectedly')],
    [
      'a statement on a broken one',
      failed('Client has encountered a connection error and is not queryable'),
    ],
    ['one of them inside another error', failed('Failed query', undefined, failed('x', '08006'))],
  ])('%s is absent', (_, error) => {
    expect(isDatabaseAway(error)).toBe(true);
  });

  it.each([
    ['a missing table', failed('relation "x" does not exist', '42P01')],
    ['a broken rule', failed('violates check constraint', '23514')],
    ['a bug', new TypeError('x is undefined')],
    ['a string', 'ECONNREFUSED'],
    ['nothing', undefined],
  ])('%s is not', (_, error) => {
    expect(isDatabaseAway(error)).toBe(false);
  });
});
