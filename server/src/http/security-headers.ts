import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';
import { contentSecurityPolicy } from './web-files/web-app.ts';

/**
 * The headers that helmet sets by default (and OWASP's secure headers project lists), with our values. A
 * constant instead of the library, which would compute and set a dozen headers for each of thousands of
 * responses a second. Headers that only matter for pages are added to pages (web-app.ts): each header
 * costs every response a little.
 */
const HEADERS = {
  // Static files override it. It does not depend on the path, which has many spellings.
  'cache-control': 'no-store',
  'content-security-policy': contentSecurityPolicy("style-src 'self'"),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'camera=(self), microphone=(self), fullscreen=(self), screen-wake-lock=(self), geolocation=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const YEAR_SECONDS = 31_536_000;

/** Headers of every response, refusals and files included. A page has its own policy and more. */
export const securityHeaders = plugin(
  async (app: FastifyInstance, { https }: { https: boolean }) => {
    const headers = https
      ? {
          ...HEADERS,
          'strict-transport-security': `max-age=${YEAR_SECONDS}; includeSubDomains`,
        }
      : HEADERS;
    app.addHook('onRequest', (_request, reply, done) => {
      reply.headers(headers);
      done();
    });
  },
  { name: 'security-headers' },
);
