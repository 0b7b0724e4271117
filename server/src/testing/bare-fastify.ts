/*
 * Fastify alone, in a process of its own: what bench/answer-path compares the empty route with. It
 * says its port to anyone who started it.
 */
import Fastify from 'fastify';

const app = Fastify();
app.get('/healthz', async (_request, reply) => reply.send({ status: 'ok' }));
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.(Number(new URL(address).port));
process.on('disconnect', () => process.exit());
