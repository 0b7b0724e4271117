import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';
import { contentSecurityPolicy } from './web-app.ts';

/**
 * The headers that helmet sets by default (and OWASP's secure headers project lists), with our own
 * values. A constant instead of the library: it would compute and set a dozen of them anew for each
 * of the answers that arrive thousands a second.
 */
const HEADERS = {
  'content-security-policy': contentSecurityPolicy("style-src 'self'"),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy':
    'camera=(self), microphone=(self), fullscreen=(self), screen-wake-lock=(self), geolocation=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};

const YEAR_SECONDS = 31_536_000;

/** Headers of every answer, refusals and files included. A page replaces the policy by its own. */
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
