import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';
import type { BaseContext } from '../app-context.ts';
import { requireMigrated } from '../db/queries/liveness.ts';
import { AppError } from '../runtime/app-error.ts';

/**
 * Serves load balancers and watchdogs: the process is alive; the database answers and is migrated. Both
 * answer under any load, so neither has a budget, and requests at the same time share one query.
 */
export const health = plugin(
  async (app: FastifyInstance, ctx: BaseContext) => {
    const free = { schema: { hide: true }, config: { cost: 0 } };
    app.get('/healthz', free, async (_request, reply) => reply.send({ status: 'ok' }));
    let query: Promise<void> | undefined;
    app.get('/readyz', free, async (_request, reply) => {
      query ??= requireMigrated(ctx.db).finally(() => {
        query = undefined;
      });
      try {
        await query;
      } catch {
        throw new AppError('UNAVAILABLE', { retryAfterSeconds: 2 });
      }
      return reply.send({ status: 'ready' });
    });
  },
  { name: 'health' },
);
