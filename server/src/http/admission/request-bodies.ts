import type { IncomingMessage, Server } from 'node:http';
import { Socket } from 'node:net';
import { BUDGET_LIMITS, REQUEST_LIMITS } from '@invigil/core/domain/limits';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';

/** Cuts off bodies that take too long. Not a hook: a path that cannot be read has none. */
export const requestBodies = plugin(
  async (app: FastifyInstance) => {
    // Most bodies arrive with their head.
    app.server.on('request', (raw) => setImmediate(limitBodyTime, app.server, raw));
  },
  { name: 'request-bodies' },
);

const admitted = new WeakSet<IncomingMessage>();

/** Leaves the body of an admitted administrator to Node's own, longer timeout. */
export function allowSlowBody(raw: IncomingMessage): void {
  admitted.add(raw);
}

/** Cuts off a body that takes too long, however steadily it drips, as Node does with heads. */
function limitBodyTime(server: Server, raw: IncomingMessage): void {
  if (raw.complete || raw.destroyed) return;
  const timer = setTimeout(() => {
    if (raw.complete || admitted.has(raw)) return;
    const error = new Error('The body took too long');
    server.emit(
      'clientError',
      Object.assign(error, { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
      raw.socket,
    );
  }, REQUEST_LIMITS.timeoutMs);
  raw.once('close', () => clearTimeout(timer));
}

/** The size of a request's body as announced; without a length, the most that its endpoint accepts. */
export function bodyBytesOf({ headers, routeOptions }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return routeOptions.bodyLimit ?? 0;
  return Number(headers['content-length'] ?? 0);
}

/** Connections that are not read from for a while (admission.ts), which then ends those that are closed. */
export const pausedSockets = new WeakSet<Socket>();

/**
 * Decides what becomes of the body of a refused request, so that a connection is never left between two
 * requests. A small rest is read and thrown away, and the next request is answered. Otherwise the answer
 * announces that the connection ends. It is then still read from, within bounds: unread data would reset
 * it, and the client would lose the answer.
 */
export function settleBody(reply: FastifyReply): void {
  const { raw } = reply.request;
  const { socket, headers } = raw;
  // Fastify closes after any body that could not be read; most are here by now.
  reply.removeHeader('connection');
  if (raw.complete || !(socket instanceof Socket)) return;
  const isChunked = headers['transfer-encoding'] !== undefined;
  if (!isChunked && Number(headers['content-length'] ?? 0) <= BUDGET_LIMITS.unreadMaxBytes) {
    return void raw.resume();
  }
  reply.header('connection', 'close');
  const { discardMaxBytes, adminDiscardMaxBytes } = REQUEST_LIMITS;
  const last = socket.bytesRead + (admitted.has(raw) ? adminDiscardMaxBytes : discardMaxBytes);
  raw.on('data', () => {
    if (socket.bytesRead > last) socket.destroy();
  });
  // Node calls it once the answer is written.
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (pausedSockets.has(socket)) return;
    socket.end();
    if (raw.closed) destroySoon();
    else raw.once('close', destroySoon);
  };
}
