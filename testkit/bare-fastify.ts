/*
 * Fastify alone, in a separate process: the baseline of bench/scenarios/answer-path.ts for the empty route. It sends
 * its port to the process that started it.
 */
import Fastify from 'fastify';

const app = Fastify();
app.get('/healthz', async (_request, reply) => reply.send({ status: 'ok' }));
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.(Number(new URL(address).port));
process.on('disconnect', () => process.exit());
