// The declarations of this package know the route options that web-app.ts sets.
import type {} from '@fastify/swagger';
import Fastify from 'fastify';
import { securityHeaders } from '../server/src/http/security-headers.ts';
import { webApp } from '../server/src/http/web-files/web-app.ts';

/** A file that was sent, and its bytes on the wire. */
export interface SentFile {
  path: string;
  bytes: number;
}

/** Serves a built page as the product does, headers and compressed files included, and nothing else. */
export async function serveWeb(
  folder: string,
): Promise<AsyncDisposable & { url: string; sent: SentFile[] }> {
  const app = Fastify({ forceCloseConnections: true });
  const sent: SentFile[] = [];
  app.addHook('onResponse', (request, reply, done) => {
    sent.push({ path: request.url, bytes: Number(reply.getHeader('content-length') ?? 0) });
    done();
  });
  await app.register(securityHeaders, { https: false });
  await app.register(webApp, { folder });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, sent, [Symbol.asyncDispose]: () => app.close() };
}
