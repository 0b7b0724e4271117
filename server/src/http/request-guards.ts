import type { FastifyInstance, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import type { BaseContext } from '../app-context.ts';
import { AppError } from '../runtime/app-error.ts';
import { nulRefusal, requireStorable } from '../runtime/storable-json.ts';

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Refusals before any route: writes from another origin (product 3), and texts with a NUL or a lone
 * surrogate, which PostgreSQL cannot store; a path with a NUL matches nothing. In addition, the session
 * cookie is SameSite=Lax.
 */
export const requestGuards = plugin(
  async (app: FastifyInstance, ctx: BaseContext) => {
    const own = new Set(ctx.config.ownOrigins);

    app.addHook('onRequest', (request, _reply, done) => {
      // Before the headers are read: Node creates their object on first access.
      if (!WRITES.has(request.method)) return done();
      const { origin, 'sec-fetch-site': site } = request.headers;
      const isForeign =
        site === 'cross-site' ||
        // A neighboring host of the same site; our own origins are accepted.
        (origin === undefined ? site === 'same-site' : !own.has(origin));
      done(isForeign ? new AppError('FOREIGN_ORIGIN') : undefined);
    });

    app.addHook('preValidation', (request, _reply, done) => {
      if (holdsNul(request.params)) done(new AppError('NOT_FOUND'));
      else done(holdsNul(request.query) ? nulRefusal() : undefined);
    });

    // Only JSON, and types that a route declares; an empty body is none, as the specification sends it.
    app.removeAllContentTypeParsers();
    const parseJson = app.getDefaultJsonParser('error', 'error');
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
      const text = body.toString();
      try {
        requireStorable(text);
      } catch (error) {
        return done(error as Error);
      }
      if (text === '') done(null, undefined);
      else void parseJson(request, text, done);
    });
  },
  { name: 'request-guards' },
);

/**
 * Reads by a browser come from our own pages: a link that an administrator follows from anywhere else would
 * record a view or an export that they did not intend. Scripts do not send the header. Throws
 * FOREIGN_ORIGIN.
 */
export function requireOwnPage({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw new AppError('FOREIGN_ORIGIN');
}

/** Whether a flat record, such as path and query parameters, has a NUL in a value. */
function holdsNul(values: unknown): boolean {
  return (
    typeof values === 'object' &&
    values !== null &&
    Object.values(values).some((value) => typeof value === 'string' && value.includes('\0'))
  );
}
