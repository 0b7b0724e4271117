import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';

/** How often a closing server checks for connections whose last response has been sent. */
const CHECK_EVERY_MS = 50;

/**
 * A closing server answers open requests and then closes every connection. Node alone waits another
 * minute for three kinds: unused ones (a browser opens some in advance), those that were busy when the
 * closing began and are then kept alive, and those whose end is announced while a body is still arriving
 * (request-bodies.ts).
 */
export const closingConnections = plugin(
  async (app: FastifyInstance) => {
    const open = new Set<Socket>();
    const used = new WeakSet<Socket>();
    let isClosing = false;
    app.server.on('connection', (socket: Socket) => {
      if (isClosing) return void socket.destroy();
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    });
    app.server.on('request', ({ socket }) => used.add(socket));
    const closeAnswered = () => {
      app.server.closeIdleConnections();
      for (const socket of open) if (!used.has(socket) || socket.writableFinished) socket.destroy();
    };
    app.addHook('preClose', async () => {
      isClosing = true;
      closeAnswered();
      const timer = setInterval(closeAnswered, CHECK_EVERY_MS);
      app.server.once('close', () => clearInterval(timer));
      if (!app.server.listening) clearInterval(timer);
    });
  },
  { name: 'closing-connections' },
);
