import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';

/** How often a closing server looks for connections whose last answer has gone out. */
const LOOK_EVERY_MS = 50;

/**
 * A closing server answers what was asked and then lets go of every connection. Node alone waits
 * another minute for two kinds: those over which nothing was asked (a browser opens some ahead of
 * their use), and those that were busy when the closing began and then stay open for a next request.
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
      const looking = setInterval(() => app.server.closeIdleConnections(), LOOK_EVERY_MS);
      app.server.once('close', () => clearInterval(looking));
      if (!app.server.listening) clearInterval(looking);
    });
  },
  { name: 'closing-connections' },
);
