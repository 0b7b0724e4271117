import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { testConfig } from '@invigil/testkit/app';
import { FakeClock } from '@invigil/testkit/fake-clock';
import { silentLog } from '@invigil/testkit/silent-log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, createApp } from '../boot/app.ts';
import { openPool } from '../db/connection/pool.ts';
import { deriveKeys } from '../security/keys.ts';

/** A pool without a database: headers do not depend on one, and its absence is one of the cases. */
const pool = openPool({ host: '127.0.0.1', port: 1 }, silentLog);

function build(webDist: string | null, env: Record<string, string> = {}): Promise<App> {
  const config = testConfig(env);
  const keys = deriveKeys('a secret');
  return createApp({ config, pool, clock: new FakeClock(), keys, log: silentLog, webDist });
}

const IMPORT_MAP = '{"integrity":{"/assets/main-1a2b.js":"sha256-x"}}';

const policyOf = (headers: Record<string, unknown>) =>
  new Map(
    String(headers['content-security-policy'])
      .split('; ')
      .map((directive) => {
        const [name = '', ...sources] = directive.split(' ');
        return [name, sources.join(' ')];
      }),
  );

describe('headers of every response', () => {
  let folder: string;
  let app: App;
  let secure: App;
  let address: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'invigil-web-'));
    mkdirSync(join(folder, 'assets'));
    writeFileSync(
      join(folder, 'index.html'),
      `<script type="importmap">${IMPORT_MAP}</script><meta property="csp-nonce" nonce="__CSP_NONCE__"><style nonce="__CSP_NONCE__"></style>`,
    );
    writeFileSync(join(folder, 'assets', 'main-1a2b.js'), 'export {};');
    writeFileSync(join(folder, 'service-worker.js'), 'addEventListener("fetch", () => {});');
    app = await build(folder);
    address = await app.fastify.listen({ host: '127.0.0.1', port: 0 });
    secure = await build(null, { PUBLIC_URL: 'https://invigil.example.org' });
  });
  afterAll(async () => {
    await app.close();
    await secure.close();
    await pool.end();
    rmSync(folder, { recursive: true, force: true });
  });

  const CALLS = [
    ['the page', 'GET', '/', 200],
    ['the page at any path', 'GET', '/quiz/assessment?x=1', 200],
    ['the page at no path', 'GET', '//', 200],
    ['a call behind two slashes', 'GET', '//api/quizzes', 404],
    ['a script', 'GET', '/assets/main-1a2b.js', 200],
    ['the service worker', 'GET', '/service-worker.js', 200],
    ['a missing script', 'GET', '/assets/nothing.js', 404],
    ['a path out of the folder', 'GET', '/assets/..%2findex.html', 404],
    ['the OpenAPI document', 'GET', '/api/openapi.json', 200],
    ['an unknown call', 'GET', '/api/nothing', 404],
    ['a write to the page', 'POST', '/', 404],
    ['a call while the database is away', 'POST', '/api/auth/login', 503],
    ['a refused body', 'POST', '/api/auth/login?wrong', 400],
    ['liveness', 'GET', '/healthz', 200],
    ['readiness', 'GET', '/readyz', 503],
  ] as const;

  it.each(CALLS)('%s: %s %s answers %i with all of them', async (_, method, url, status) => {
    const response = await app.fastify.inject({
      method,
      url,
      ...(method === 'POST'
        ? { payload: url.includes('?') ? {} : { email: 'a@b', password: 'AAAAA-BBBBB-CCCCC' } }
        : {}),
    });
    expect(response.statusCode).toBe(status);
    const { headers } = response;
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['permissions-policy']).toMatch(
      /camera=\(self\).*microphone=\(self\).*fullscreen=\(self\)/,
    );
    expect(headers['permissions-policy']).toMatch(/geolocation=\(\)/);
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');

    const policy = policyOf(headers);
    expect(Object.fromEntries(policy)).toMatchObject({
      'default-src': "'none'",
      'script-src': expect.stringMatching(/^'self' 'wasm-unsafe-eval'( 'sha256-[^ ]+')?$/),
      'worker-src': "'self'",
      'connect-src': "'self'",
      'frame-ancestors': "'none'",
      'base-uri': "'none'",
      'form-action': "'self'",
    });
    for (const [directive, sources] of policy) {
      // Nothing from another host; inline only as attributes that libraries set on elements.
      expect(sources).not.toMatch(/https?:|\*|'unsafe-eval'/);
      if (directive !== 'style-src-attr') expect(sources).not.toContain("'unsafe-inline'");
    }
    if (url.startsWith('/api')) expect(headers['cache-control']).toBe('no-store');
  });

  /** Sent raw: `inject` and `fetch` resolve dots themselves. */
  const asWritten = (path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number | undefined; caching: string | undefined; body: string }>(
      (resolve, reject) => {
        const sent = request(address, { path, headers }, async (response) => {
          const { statusCode: status, headers } = response;
          resolve({ status, caching: headers['cache-control'], body: await text(response) });
        });
        sent.on('error', reject).end();
      },
    );

  const TAILS = [
    ['a plain parent path', '../x'],
    ['an encoded parent path', '%2e%2e/x'],
    ['two encoded parent paths', '%2e%2e/%2e%2e/etc/passwd'],
    ['only a parent path', '%2e%2e'],
    ['an encoded slash', '..%2fx'],
    ['all of it encoded', '%2E%2E%2Fx'],
    ['a backslash', '..\\x'],
    ['an encoded backslash', '..%5cx'],
    ['backslashes around it', '%5c..%5cx'],
    ['encoded twice', '%252e%252e/x'],
    ['encoded twice, the slash too', '%252e%252e%252fx'],
    ['a NUL', 'main-1a2b.js%00'],
    ['only a NUL', '%00'],
    ['an absolute path', '//etc/passwd'],
    ['an encoded absolute path', '%2fetc%2fpasswd'],
    ['the folder', ''],
    ['the folder twice', '/'],
    ['a file taken for a folder', 'main-1a2b.js/x'],
    ['a path down and up', 'main-1a2b.js/%2e%2e/%2e%2e/index.html'],
    ['a name too long', 'a'.repeat(3_000)],
    ['a hidden file', '%2eenv'],
  ] as const;

  const FOLDERS = ['/assets/', '/%61ssets/', '//assets/', '/%2fassets/', '/%5cassets/'];

  it.each(FOLDERS.flatMap((start) => TAILS.map(([what, tail]) => [start, what, tail] as const)))(
    '%s with %s is a 404 that is not cached',
    async (start, _, tail) => {
      expect(await asWritten(start + tail)).toMatchObject({ status: 404, caching: 'no-store' });
    },
  );

  it.each(
    TAILS.flatMap(([what, tail]) =>
      tail === '' ? [] : ['/api/docs/', '/api/docs/static/'].map((s) => [s, what, tail] as const),
    ),
  )('%s with %s is a 404', async (start, _, tail) => {
    expect(await asWritten(start + tail)).toMatchObject({ status: 404, caching: 'no-store' });
  });

  it.each([
    '/api/docs/%79aml',
    '/%61pi/docs/yaml',
    '/api/docs%2fyaml',
    '/api//docs/yaml',
    '/api%2fdocs%2fyaml',
    '/%61pi/nothing',
    '//api/docs/yaml',
    '/%2fapi/docs/yaml',
  ])('%s matches nothing, in any spelling', async (path) => {
    expect(await asWritten(path)).toMatchObject({ status: 404, caching: 'no-store' });
  });

  it.each(['/%61pi/openapi.json', '/api/docs/', '/%6cogin', '/%68ealthz', '/%61pi/auth/me'])(
    '%s is not cached, in any spelling',
    async (path) => {
      expect(await asWritten(path)).toMatchObject({ caching: 'no-store' });
    },
  );

  it.each([
    ['a range outside', { range: 'bytes=900000-' }],
    ['a precondition that fails', { 'if-match': '"another"' }],
  ])('a file requested with %s is not a failure of ours', async (_, headers) => {
    expect((await asWritten('/assets/main-1a2b.js', headers)).status).toBe(400);
  });

  it('gives each page its own nonce, and caches no page', async () => {
    const nonces = new Set<string>();
    for (let i = 0; i < 3; i += 1) {
      const { body, headers } = await app.fastify.inject('/login');
      const nonce = /nonce="([^"]+)"/.exec(body)?.[1] ?? '';
      expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/);
      expect(body).not.toContain('__CSP_NONCE__');
      expect(policyOf(headers).get('style-src')).toBe(`'self' 'nonce-${nonce}'`);
      expect(headers['cache-control']).toBe('no-store');
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(3);
  });

  it('lets no text become code on a page', async () => {
    const policy = policyOf((await app.fastify.inject('/login')).headers);
    expect(policy.get('require-trusted-types-for')).toBe("'script'");
    expect(policy.get('trusted-types')).toBe('default');
  });

  it('lets the import map of the page run, and no other inline text', async () => {
    const source = policyOf((await app.fastify.inject('/login')).headers).get('script-src');
    const hash = createHash('sha256').update(IMPORT_MAP).digest('base64');
    expect(source).toBe(`'self' 'wasm-unsafe-eval' 'sha256-${hash}'`);
    const file = policyOf((await app.fastify.inject('/assets/main-1a2b.js')).headers);
    expect(file.get('script-src')).toBe("'self' 'wasm-unsafe-eval'");
  });

  it('clears what a browser has cached of a page without a session, and nothing else', async () => {
    const clearedAt = async (url: string, cookie?: string) =>
      (await app.fastify.inject({ url, headers: cookie ? { cookie } : {} })).headers[
        'clear-site-data'
      ];
    // Neither "storage", where unsent answers wait for their owner, nor "cookies".
    for (const url of ['/login', '/', '/quiz/assessment'])
      expect([url, await clearedAt(url)]).toEqual([url, '"cache"']);
    expect(await clearedAt('/login', 'invigil_device=x')).toBe('"cache"');
    // A session that is sent may be live; the service worker learns that with the account.
    expect(await clearedAt('/login', 'invigil_session=x')).toBeUndefined();
    expect(await clearedAt('/assets/main-1a2b.js')).toBeUndefined();
    expect(await clearedAt('/api/auth/me')).toBeUndefined();
  });

  it('adds to pages the headers that only pages need', async () => {
    expect((await app.fastify.inject('/login')).headers).toMatchObject({
      'origin-agent-cluster': '?1',
      'x-dns-prefetch-control': 'off',
      'x-download-options': 'noopen',
      'x-permitted-cross-domain-policies': 'none',
      'x-xss-protection': '0',
    });
  });

  it('caches hashed files for a year', async () => {
    const { headers } = await app.fastify.inject('/assets/main-1a2b.js');
    expect(headers['cache-control']).toMatch(/max-age=31536000.*immutable/);
    expect(headers['content-type']).toMatch(/^(text|application)\/javascript/);
  });

  it('enables HSTS only when served over https', async () => {
    expect((await app.fastify.inject('/healthz')).headers).not.toHaveProperty(
      'strict-transport-security',
    );
    expect((await secure.fastify.inject('/healthz')).headers['strict-transport-security']).toMatch(
      /max-age=31536000/,
    );
  });
});
