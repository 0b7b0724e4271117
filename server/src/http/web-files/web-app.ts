import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { isRightToLeft } from '@invigil/core/domain/locale';
import { ENGLISH_ALONE, firstOf, LANGUAGE_TAGS } from '@invigil/core/texts/languages';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { escapeHtml } from '../../deliveries/mails/escape-html.ts';
import { AppError } from '../../runtime/app-error.ts';
// Declares what a route costs.
import type {} from '../admission/budgets.ts';
import { chosenLanguage, preferredLanguages } from '../language.ts';

/** A placeholder in the built page, replaced in each response. */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';
/** `default` is the policy of web/src/app/frame/allow-own-scripts.ts. */
const NO_TEXT_AS_CODE = "require-trusted-types-for 'script'; trusted-types default";
const YEAR_SECONDS = 31_536_000;

/** Headers of pages, in addition to those of every response (security-headers.ts). */
const PAGE_HEADERS = {
  'origin-agent-cluster': '?1',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};

/**
 * Headers of pages while no one is signed in, when the browser may be a shared one. The service worker
 * removes itself and its copies when it sees this header, and a cached file that is not what the page expects
 * (`integrity`) is loaded again. Not "storage": unsent answers wait there for their owner
 * (docs/decisions/017).
 */
const SIGNED_OUT_HEADERS = { 'clear-site-data': '"cache"' };

/**
 * Serves the built web app: hashed files cached for good, and the one page under every other path, with
 * its own nonce for the styles that libraries inject.
 *
 * @param kept folders with files of other builds, for their pages
 * @param institution what the sign-in page shows of it; reading it never fails and never takes long
 * @param isSignedOut whether a request comes without any session
 */
export const webApp = plugin(
  async (
    app: FastifyInstance,
    {
      folder,
      kept = [],
      institution = async () => ({ name: null, languages: ENGLISH_ALONE }),
      isSignedOut = () => false,
    }: {
      folder: string;
      kept?: string[];
      institution?: () => Promise<{ name: string | null; languages: readonly string[] }>;
      isSignedOut?: (request: FastifyRequest) => boolean;
    },
  ) => {
    const page = await readFile(join(folder, 'index.html'), 'utf8');
    const importMap = importMapSource(page);
    const cataloguesOf = catalogueLinks(page);

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

    const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
      const { name, languages } = await institution();
      // Administrators choose from all, and an assessment may have one that the institution does not offer.
      const offered = /^\/admin\b/i.test(request.url) ? LANGUAGE_TAGS : languages;
      const language =
        chosenLanguage(request) ??
        firstOf(preferredLanguages(request), offered) ??
        languages[0] ??
        'en';
      const head = [
        ...(name === null ? [] : [meta('institution', name)]),
        ...(languages.length > 1 ? [meta('languages', languages.join(' '))] : []),
        cataloguesOf(language, partsOf(request.url)),
      ].join('');
      const spoken = `<html lang="${language}"${isRightToLeft(language) ? ' dir="rtl"' : ''}`;
      const nonce = randomBytes(16).toString('base64');
      const styles = `style-src 'self' 'nonce-${nonce}'`;
      return reply
        .headers(isSignedOut(request) ? { ...PAGE_HEADERS, ...SIGNED_OUT_HEADERS } : PAGE_HEADERS)
        .header(
          'content-security-policy',
          `${contentSecurityPolicy(styles, importMap)}; ${NO_TEXT_AS_CODE}`,
        )
        .type('text/html; charset=utf-8')
        .send(
          page
            .replaceAll(NONCE_PLACEHOLDER, nonce)
            .replace('<html lang="en"', spoken)
            .replace('</head>', () => `${head}</head>`),
        );
    };

    // The service worker is at the root, since it serves all pages. Browsers look for a new one by
    // themselves.
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
      // The path is the one that the router decoded. No page has such a path, in any spelling (`//api`,
      // `%61pi`).
      if (/^[/\\]*(api|assets)([/\\]|$)/.test(request.params['*'])) {
        throw new AppError('NOT_FOUND');
      }
      return sendPage(request, reply);
    });
  },
  { name: 'web-app' },
);

const meta = (name: string, content: string): string =>
  `<meta name="${name}" content="${escapeHtml(content)}" />`;

/**
 * The page's import map, which has the hashes of its modules, as a source of scripts: this text, no other.
 */
function importMapSource(page: string): string {
  const text = /<script type="importmap">(.*?)<\/script>/s.exec(page)?.[1];
  if (text === undefined) return '';
  return ` 'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/**
 * Links to the texts of a language, so that they come with the page's code and not after it: the page alone
 * would find out which ones it needs.
 */
function catalogueLinks(page: string): (language: string, parts: readonly string[]) => string {
  const files = [
    ...page.matchAll(/"(\/assets\/(test|candidate|portal)\.([\w-]+?)-[\w-]{8}\.js)":"(.*?)"/g),
  ];
  return (language, parts) =>
    files
      .filter(([, , part = '', tag]) => tag === language && parts.includes(part))
      .map(([, name, , , hash]) => {
        const integrity = `crossorigin href="${name}" integrity="${hash}"`;
        return `<link rel="modulepreload" ${integrity}>`;
      })
      .join('');
}

/** The parts of the texts that a page loads, by its path (web/src/app/routes.tsx). */
function partsOf(url: string): string[] {
  if (/^\/quiz\/assessment\b/i.test(url)) return ['test'];
  return ['test', 'candidate', ...(/^\/admin\b/i.test(url) ? ['portal'] : [])];
}

/**
 * Nothing from another host; no inline script; WebAssembly only for the detectors.
 *
 * @param scripts what else may run, with a space in front
 */
export function contentSecurityPolicy(styles: string, scripts = ''): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'wasm-unsafe-eval'${scripts}`,
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
