import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { startTestApp } from '@invigil/testkit/app';
import { ADMIN, setUpApp, signInAdmin } from '@invigil/testkit/factories';
import { describe, expect, it, onTestFinished } from 'vitest';

const app = setUpApp();
const get = (url: string) => app.fastify.inject({ url });

describe('the API reference', () => {
  it('is a page of local files only, under the usual policy', async () => {
    const page = await get('/api/docs');
    expect(page.statusCode).toBe(200);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("script-src 'self'"),
    });
    expect(page.headers['content-security-policy']).not.toContain('unsafe-inline');
    const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '');
    expect(files.filter((url) => url.endsWith('.js'))).toHaveLength(3);
    for (const url of files) {
      expect(url).toMatch(/^\/api\/docs\/static\//);
      expect((await get(url)).statusCode).toBe(200);
    }
    expect(page.body).not.toMatch(/<script>|https?:/);
  });

  it('has no second document, and finds the existing one', async () => {
    expect((await get('/api/docs/yaml')).statusCode).toBe(404);
    for (const url of ['/api/docs/json', '/api/docs/%6ason']) {
      const { statusCode, headers } = await get(url);
      expect([statusCode, headers.location]).toEqual([302, '/api/openapi.json']);
      expect(headers['cache-control']).toBe('no-store');
    }
  });

  it('reads the local document, and contacts no other host', async () => {
    const { body } = await get('/api/docs/static/swagger-initializer.js');
    expect(body).toContain("resolveUrl('./json')");
    expect(body).toContain('"validatorUrl":null');
    const document = (await get('/api/openapi.json')).json();
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Invigil' } });
    expect(document.paths['/api/participants/{id}/answers'].put.summary).toBeTypeOf('string');
  });
});

const GUIDE = new URL('../../../docs/integrate/api.md', import.meta.url);

it('the examples of docs/integrate/api.md work as written', async () => {
  const app = await startTestApp();
  onTestFinished(() => app.stop());
  await signInAdmin(app);
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.fastify.server.address() as AddressInfo;
  const blocks = [...readFileSync(GUIDE, 'utf8').matchAll(/^```js\n([\s\S]*?)^```$/gm)];
  const program = spawn(process.execPath, ['--input-type=module', '-'], {
    env: {
      INVIGIL_URL: `http://127.0.0.1:${port}`,
      INVIGIL_EMAIL: ADMIN.email,
      INVIGIL_PASSWORD: ADMIN.password,
    },
  });
  program.stdin.end(blocks.map(([, code]) => code).join('\n'));
  const [output, errors] = await Promise.all([text(program.stdout), text(program.stderr)]);
  expect(errors).toBe('');
  expect(output.trim().split('\n')).toEqual([
    '5 questions',
    'version 1',
    'ada@example.org queued',
    'not an address invalid',
    expect.stringMatching(/^Participant,Participant Id,/),
  ]);
});
