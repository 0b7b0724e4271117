import { setUpApp } from '@invigil/testkit/factories';
import { describe, expect, it } from 'vitest';

describe('the API reference', () => {
  const app = setUpApp();
  const get = (url: string) => app.fastify.inject({ url });

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
