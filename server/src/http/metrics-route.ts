import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { Registry } from 'prom-client';
import { AppError } from '../runtime/app-error.ts';
import type { Config } from '../runtime/config.ts';

/** Headers that a proxy adds. Behind one, all requests come from its address. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

export interface MetricsOptions {
  config: Pick<Config, 'metricsToken' | 'publicUrl' | 'port'>;
  /** The metrics of all processes that serve together, in the text format of Prometheus. */
  readAll(): Promise<string>;
}

/**
 * `/metrics`: for a bearer of METRICS_TOKEN; without one only from the machine itself, on an installation
 * that no one else can reach (PUBLIC_URL not set). All others get a 404.
 */
export const metricsPlugin = plugin(
  async (app: FastifyInstance, { config, readAll }: MetricsOptions) => {
    app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
      if (!mayRead(request, config)) throw new AppError('NOT_FOUND');
      return reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await readAll());
    });
  },
  { name: 'metrics' },
);

function mayRead(
  { headers, socket }: FastifyRequest,
  { metricsToken, publicUrl, port }: MetricsOptions['config'],
): boolean {
  if (metricsToken !== null) return isSame(headers.authorization ?? '', `Bearer ${metricsToken}`);
  const isPrivate = publicUrl === `http://localhost:${port}`;
  const isForwarded = FORWARDED.some((name) => headers[name] !== undefined);
  return isPrivate && !isForwarded && isLoopback(socket.remoteAddress ?? '');
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}

/** Constant time, whatever is wrong. */
function isSame(given: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(right));
}
