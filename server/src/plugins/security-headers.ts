import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';
import { contentSecurityPolicy } from './web-app.ts';

/** Headers of every answer, refusals and files included. */
export const securityHeaders = plugin(
  async (app: FastifyInstance, { https }: { https: boolean }) => {
    await app.register(helmet, {
      // Set below: the page's own has a nonce in it.
      contentSecurityPolicy: false,
      frameguard: { action: 'deny' },
      referrerPolicy: { policy: 'no-referrer' },
      crossOriginOpenerPolicy: { policy: 'same-origin' },
      crossOriginResourcePolicy: { policy: 'same-origin' },
      strictTransportSecurity: https ? { maxAge: 31_536_000 } : false,
    });
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('content-security-policy', contentSecurityPolicy("style-src 'self'"));
      reply.header(
        'permissions-policy',
        'camera=(self), microphone=(self), fullscreen=(self), screen-wake-lock=(self), geolocation=(), payment=(), usb=()',
      );
    });
  },
  { name: 'security-headers' },
);
