import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';

/** How often a closing server checks for connections whose last response has been sent. */
const CHECK_EVERY_MS = 50;

/**
 * A closing server answers open requests and then closes every connection. Node alone waits another
 * minute for two kinds: unused ones (a browser opens some in advance), and those that were busy when the
 * closing began and are then kept alive.
 */
export const closingConnections = plugin(
  async (app: FastifyInstance) => {
    const unused = new Set<Socket>();
    let isClosing = false;
    app.server.on('connection', (socket: Socket) => {
      if (isClosing) return void socket.destroy();
      unused.add(socket);
      socket.once('close', () => unused.delete(socket));
    });
    app.server.on('request', ({ socket }) => unused.delete(socket));
    app.addHook('preClose', async () => {
      isClosing = true;
      for (const socket of unused) socket.destroy();
      const timer = setInterval(() => app.server.closeIdleConnections(), CHECK_EVERY_MS);
      app.server.once('close', () => clearInterval(timer));
      if (!app.server.listening) clearInterval(timer);
    });
  },
  { name: 'closing-connections' },
);
