import { type Endpoint, permissionsOf } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import {
  ADMIN,
  type BegunAttempt,
  beginAttempt,
  setUpAppWithAdmin,
} from '@invigil/testkit/factories';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../db/new-id.ts';

/*
 * Headers of responses that need a database and a session; security-headers.test.ts covers pages, files
 * and an app without either.
 */
describe('every kind of response', () => {
  const app = setUpAppWithAdmin();
  let attempt: BegunAttempt;

  beforeAll(async () => {
    attempt = await beginAttempt(app, app.admin);
  });

  interface Kind {
    method?: 'GET' | 'HEAD' | 'POST' | 'TRACE';
    url: string;
    as?: 'admin' | 'candidate';
  }

  async function send({ method = 'GET', url, as }: Kind) {
    const cookie = as === 'candidate' ? attempt.candidate.cookie : as === 'admin' ? app.admin : '';
    const response = await app.fastify.inject({
      method,
      url: url.replace(':attempt', attempt.id),
      headers: cookie === '' ? {} : { cookie: `invigil_session=${cookie}` },
      payloadAsStream: true,
    });
    response.stream().destroy();
    return response;
  }

  const KINDS: [string, number, Kind][] = [
    ['JSON', 200, { url: '/api/quizzes', as: 'admin' }],
    ['a file', 200, { url: '/api/participants/export', as: 'admin' }],
    ['the audit log as a file', 200, { url: '/api/audit/export', as: 'admin' }],
    ['an event stream', 200, { url: '/api/participants/:attempt/events', as: 'candidate' }],
    ['the live board', 200, { url: '/api/live', as: 'admin' }],
    ['nothing', 204, { method: 'POST', url: '/api/auth/logout' }],
    ['an id that is long', 404, { url: `/api/participants/${'a'.repeat(500)}`, as: 'admin' }],
    ['a long id without a session', 401, { url: `/api/participants/${'a'.repeat(500)}` }],
    ['the head of an event stream', 404, { method: 'HEAD', url: '/api/live', as: 'admin' }],
    ['a method that no route takes', 404, { method: 'TRACE', url: '/api/auth/me', as: 'admin' }],
    ['the API reference page', 200, { url: '/api/docs/' }],
    ['a redirect', 302, { url: '/api/docs/static/index.html' }],
  ];

  function expectHeaders(headers: Record<string, unknown>, url: string): void {
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': expect.stringMatching(
        /default-src 'none'.*frame-ancestors 'none'/,
      ),
      'permissions-policy': expect.stringContaining('camera=(self)'),
    });
    const policy = String(headers['content-security-policy']);
    expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'|\*|https?:/);
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    if (url.startsWith('/api')) expect(headers['cache-control']).toBe('no-store');
  }

  it.each(KINDS)('%s (%i) has every security header and is not cached', async (_, status, kind) => {
    const response = await send(kind);
    expect(response.statusCode).toBe(status);
    expectHeaders(response.headers, kind.url);
  });

  it('files are downloaded, not shown, under a name of ours', async () => {
    for (const url of ['/api/participants/export', '/api/audit/export']) {
      const { headers } = await send({ url, as: 'admin' });
      expect(headers['content-disposition']).toMatch(/^attachment; filename="[a-z0-9_-]+\.csv"/);
      expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    }
  });

  const WRITES = (Object.keys(ENDPOINTS) as EndpointName[]).filter(
    (name) => ENDPOINTS[name].method !== 'GET',
  );
  const counted = async () =>
    (
      await app.pool.query(
        'select count(*) from audit_entries union all select count(*) from sessions where ended_at is null',
      )
    ).rows;

  it.each(WRITES)('%s accepts nothing from another site and nothing as a form', async (name) => {
    const row: Endpoint = ENDPOINTS[name];
    const isForAdmins = row.access === 'public' || permissionsOf(row).length > 0;
    const before = await counted();
    const post = (headers: Record<string, string>, payload: string) =>
      app.fastify.inject({
        method: row.method,
        url: row.path.replace(':id', attempt.id).replace(':questionId', newId()),
        headers: {
          cookie: `invigil_session=${isForAdmins ? app.admin : attempt.candidate.cookie}`,
          ...headers,
        },
        payload,
      });
    for (const foreign of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://localhost:3000.evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' },
      { 'sec-fetch-site': 'same-site' },
    ] as Record<string, string>[]) {
      const response = await post({ ...foreign, 'content-type': 'application/json' }, '{}');
      expect([response.statusCode, response.json().code]).toEqual([403, 'FOREIGN_ORIGIN']);
    }
    // A form on another page can send these types without a preflight request.
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const response = await post({ 'content-type': type }, '{"reason":"r"}');
      expect([type, response.statusCode]).toEqual([type, 415]);
    }
    expect(await counted()).toEqual(before);
  });

  const READS = (Object.keys(ENDPOINTS) as EndpointName[]).filter((name) => {
    const { method, access } = ENDPOINTS[name];
    return method === 'GET' && access !== 'public';
  });

  it.each(READS)('%s follows no link from elsewhere', async (name) => {
    const { path, access }: Endpoint = ENDPOINTS[name];
    const as = permissionsOf({ access }).length > 0 ? app.admin : attempt.candidate.cookie;
    const before = await counted();
    for (const site of ['cross-site', 'same-site', 'none']) {
      const response = await app.fastify.inject({
        method: 'GET',
        url: path.replace(':id', attempt.id).replace(':hash', 'f'.repeat(64)),
        headers: { cookie: `invigil_session=${as}`, 'sec-fetch-site': site },
      });
      expect([response.statusCode, response.json().code]).toEqual([403, 'FOREIGN_ORIGIN']);
    }
    expect(await counted()).toEqual(before);
  });

  it('a read by our own page is answered', async () => {
    const headers = { cookie: `invigil_session=${app.admin}`, 'sec-fetch-site': 'same-origin' };
    const { statusCode } = await app.fastify.inject({ url: '/api/audit/export', headers });
    expect(statusCode).toBe(200);
  });

  it('a write from another of our own origins on the same site is accepted', async () => {
    const headers = { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:3000' };
    const url = '/api/auth/logout';
    expect((await app.fastify.inject({ method: 'POST', url, headers })).statusCode).toBe(204);
  });

  it('a session begins with a new token, whatever cookie was sent', async () => {
    for (const forged of ['x'.repeat(43), app.admin]) {
      const reply = await app.call('login', {
        as: forged,
        body: { email: ADMIN.email, password: ADMIN.password },
      });
      expect(reply.status).toBe(200);
      expect(reply.cookie).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(reply.cookie).not.toBe(forged);
    }
    expect((await app.call('me', { as: 'x'.repeat(43) })).status).toBe(401);
  });
});
