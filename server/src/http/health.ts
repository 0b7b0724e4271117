import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';
import type { AppContext } from '../app-context.ts';
import { requireMigrated } from '../db/queries/liveness.ts';
import { AppError } from '../runtime/app-error.ts';

/** For load balancers and watchdogs: the process is alive; the database answers and is migrated. */
export const health = plugin(
  async (app: FastifyInstance, ctx: AppContext) => {
    app.get('/healthz', { schema: { hide: true } }, async (_request, reply) =>
      reply.send({ status: 'ok' }),
    );
    app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
      try {
        await requireMigrated(ctx.db);
      } catch {
        throw new AppError('UNAVAILABLE', { retryAfterSeconds: 2 });
      }
      return reply.send({ status: 'ready' });
    });
  },
  { name: 'health' },
);
