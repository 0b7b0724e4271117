import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import plugin from 'fastify-plugin';
import { escapeHtml } from '../../mail/messages/escape-html.ts';
import { AppError } from '../../runtime/app-error.ts';
// Declares what a route costs.
import type {} from '../admission/budgets.ts';

/** A placeholder in the built page, replaced in each response. */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';
/** `default` is the policy of web/src/app/frame/allow-own-scripts.ts. */
const NO_TEXT_AS_CODE = "require-trusted-types-for 'script'; trusted-types default";
const YEAR_SECONDS = 31_536_000;

/** In addition to the headers of every response (security-headers.ts). */
const PAGE_HEADERS = {
  'origin-agent-cluster': '?1',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};

/**
 * Serves the built web app: hashed files cached for good, and the one page under every other path, with
 * its own nonce for the styles that libraries inject.
 *
 * @param kept folders with files of other builds, for their pages
 * @param institutionName what the sign-in page names; it never fails and never takes long
 */
export const webApp = plugin(
  async (
    app: FastifyInstance,
    {
      folder,
      kept = [],
      institutionName = async () => null,
    }: { folder: string; kept?: string[]; institutionName?: () => Promise<string | null> },
  ) => {
    const page = await readFile(join(folder, 'index.html'), 'utf8');

    await app.register(async (scope) => {
      scope.addHook('onRoute', (route) => {
        route.config = { ...route.config, cost: 0 };
      });
      await scope.register(fastifyStatic, {
        root: [join(folder, 'assets'), ...kept],
        prefix: '/assets/',
        preCompressed: true,
        immutable: true,
        maxAge: YEAR_SECONDS * 1_000,
        index: false,
      });
    });

    const sendPage = async (reply: FastifyReply) => {
      const name = await institutionName();
      const named =
        name === null ? '' : `<meta name="institution" content="${escapeHtml(name)}" />`;
      const nonce = randomBytes(16).toString('base64');
      const styles = `style-src 'self' 'nonce-${nonce}'`;
      return reply
        .headers(PAGE_HEADERS)
        .header('content-security-policy', `${contentSecurityPolicy(styles)}; ${NO_TEXT_AS_CODE}`)
        .type('text/html; charset=utf-8')
        .send(
          page.replaceAll(NONCE_PLACEHOLDER, nonce).replace('</head>', () => `${named}</head>`),
        );
    };

    // At the root, since it serves all pages. Browsers look for a new one by themselves.
    const worker = await readFile(join(folder, 'service-worker.js'), 'utf8');
    app.get('/service-worker.js', { schema: { hide: true }, config: { cost: 0 } }, (_, reply) =>
      reply
        .header('content-security-policy', contentSecurityPolicy("style-src 'none'"))
        .header('cache-control', 'no-cache')
        .type('text/javascript; charset=utf-8')
        .send(worker),
    );

    const hidden = { schema: { hide: true } };
    // Not the page, and not for nothing as pages are.
    app.get('/api/*', hidden, () => {
      throw new AppError('NOT_FOUND');
    });
    const free = { ...hidden, config: { cost: 0 } };
    app.get<{ Params: { '*': string } }>('/*', free, (request, reply) => {
      // As the router decoded it. No page has such a path, in any spelling (`//api`, `%61pi`).
      if (/^[/\\]*(api|assets)([/\\]|$)/.test(request.params['*'])) {
        throw new AppError('NOT_FOUND');
      }
      return sendPage(reply);
    });
  },
  { name: 'web-app' },
);

/** Nothing from another host; no inline script; WebAssembly only for the detectors. */
export function contentSecurityPolicy(styles: string): string {
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    styles,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
