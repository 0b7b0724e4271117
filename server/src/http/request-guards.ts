import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';
import type { AppContext } from '../app-context.ts';
import { AppError } from '../runtime/app-error.ts';

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * What is refused before any route: writes from another origin (product 3), and texts with a NUL
 * or half a character, which PostgreSQL cannot store; a path with a NUL leads nowhere. The session
 * cookie is SameSite=Lax besides.
 */
export const requestGuards = plugin(
  async (app: FastifyInstance, ctx: AppContext) => {
    const own = new Set(ctx.config.ownOrigins);

    app.addHook('onRequest', (request, _reply, done) => {
      // Before the headers are looked at: Node makes their object only when someone asks for it.
      if (!WRITES.has(request.method)) return done();
      const { origin, 'sec-fetch-site': site } = request.headers;
      const isForeign =
        site === 'cross-site' ||
        // A neighboring host of the same site; one of our own origins says so.
        (origin === undefined ? site === 'same-site' : !own.has(origin));
      done(isForeign ? new AppError('FOREIGN_ORIGIN') : undefined);
    });

    app.addHook('preValidation', (request, _reply, done) => {
      if (holdsNul(request.params)) done(new AppError('NOT_FOUND'));
      else done(holdsNul(request.query) ? nulRefusal() : undefined);
    });

    // Only JSON, and what a route names itself; an empty body is no body, as the seed sends it.
    app.removeAllContentTypeParsers();
    const parseJson = app.getDefaultJsonParser('error', 'error');
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
      const text = body.toString();
      // Looked for in the text: walking a parsed body could be made to go too deep.
      const escapes = text.includes('\\u');
      if (escapes && NUL_ESCAPE.test(text)) done(nulRefusal());
      else if (escapes && holdsHalfCharacter(text)) done(halfRefusal());
      else if (text === '') done(null, undefined);
      else void parseJson(request, text, done);
    });
  },
  { name: 'request-guards' },
);

/** `\\u0000` in JSON that is not itself escaped. */
const NUL_ESCAPE = /(?<!\\)(?:\\\\)*\\u0000/;

/** An escape of either half of a character that is written as two, and of both together. */
const HALF_ESCAPE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/i;
const WHOLE_ESCAPE = /(?<!\\)((?:\\\\)*)\\ud[89ab]..\\ud[c-f]../gi;

/** Half a character is no text: PostgreSQL refuses it in a document and alters it in a column. */
function holdsHalfCharacter(body: string): boolean {
  return HALF_ESCAPE.test(body) && HALF_ESCAPE.test(body.replace(WHOLE_ESCAPE, '$1'));
}

function halfRefusal() {
  return new AppError('INVALID_INPUT', { message: 'Texts must not contain halves of characters' });
}

function nulRefusal() {
  return new AppError('INVALID_INPUT', { message: 'Texts must not contain NUL characters' });
}

/** Whether a flat record, as path and query parameters are, has a NUL in a value. */
function holdsNul(values: unknown): boolean {
  return (
    typeof values === 'object' &&
    values !== null &&
    Object.values(values).some((value) => typeof value === 'string' && value.includes('\0'))
  );
}
