import { Readable } from 'node:stream';
import {
  type Access,
  type ActionsOf,
  actionsOf,
  type Endpoint,
  Id,
  type NeededPermission,
  type ParsedBodyOf,
  type ParsedParamsOf,
  type ParsedQueryOf,
  permissionsOf,
} from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import { REQUEST_LIMITS } from '@invigil/core/domain/limits';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AttemptContext, ProcessContext } from '../app-context.ts';
import type { PreviewSession } from '../db/queries/preview-codes.ts';
import type { AdminSession, ParticipantSession, Session } from '../db/queries/sessions.ts';
import { AppError } from '../runtime/app-error.ts';
import { Reply } from '../runtime/reply.ts';
import { type Command, commandOf } from '../sessions/command.ts';
import {
  type Admitted,
  BY_NO_PERMISSION,
  requireFreshPassword,
  requirePermission,
} from '../sessions/guards.ts';
import { type RequireActing, requireActingOf } from '../sessions/session-reader.ts';
import { show } from '../sessions/show.ts';
import { allowSlowBody, bodyBytesOf } from './admission/request-bodies.ts';
import { validateLongLists } from './long-lists.ts';
import { requireOwnPage } from './request-guards.ts';
import { whileActing } from './while-acting.ts';

type Table = typeof ENDPOINTS;

type SessionFor<A extends Access> = A extends 'public'
  ? Session | undefined
  : A extends readonly (infer R)[]
    ?
        | (R extends NeededPermission ? AdminSession : never)
        | ('participant' extends R ? ParticipantSession : never)
        | ('preview' extends R ? PreviewSession : never)
    : never;

const STREAM = 'text/event-stream';
const STREAM_HEADERS = {
  // A buffering proxy would deliver the events too late.
  'x-accel-buffering': 'no',
  // Closes its connection, too: a server that stops would wait for an idle one.
  connection: 'close',
};

interface Call<E extends Endpoint> {
  params: ParsedParamsOf<E>;
  query: ParsedQueryOf<E>;
  body: ParsedBodyOf<E>;
  session: SessionFor<E['access']>;
  /** The only way to change something; writes the entries that the row names. */
  command: [ActionsOf<E>] extends [never] ? undefined : Command<ActionsOf<E>>;
  now: Date;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** The permitted part of a call by an administrator; unknown for anyone else who may call. */
type AdmittedTo<A extends Access> = A extends readonly (infer R)[]
  ? [Extract<R, NeededPermission>] extends [never]
    ? unknown
    : Admitted
  : unknown;

/** The arguments of an endpoint's handler. */
export type CallOf<N extends EndpointName> = Call<Table[N]> & AdmittedTo<Table[N]['access']>;

type Responses<E extends Endpoint> = {
  [S in keyof E['responses'] & number]: E['responses'][S] extends z.ZodType
    ? z.input<E['responses'][S]>
    : // biome-ignore lint/suspicious/noConfusingVoidType: of functions whose result is not used
      void;
};
type Replies<B> = { [S in keyof B & number]: Reply<S, B[S]> }[keyof B & number];
type IsUnion<T, All = T> = T extends unknown ? ([All] extends [T] ? false : true) : never;

/** The result of a handler: the body of its only success status, or a `Reply`. */
export type Answer<E extends Endpoint> =
  | Replies<Responses<E>>
  | (IsUnion<keyof Responses<E>> extends false ? Responses<E>[keyof Responses<E>] : never);

type Handler<N extends EndpointName> = (call: CallOf<N>) => Promise<Answer<Table[N]>>;

/** The handlers of one area; together the areas cover the table (boot/app.ts). */
export type Handlers = { [N in EndpointName]?: Handler<N> };

/** Endpoints whose statement itself checks the session, so that a cached one suffices (I17). */
const SESSION_CHECKED_IN_STATEMENT: ReadonlySet<EndpointName> = new Set([
  'saveAnswers',
  'heartbeat',
]);

/** Relative to the size of all answers: a page may send a question twice. */
const ANSWERS_FACTOR = 4;

/** Refuses a body larger than a paper's answers can be, before it is read. Throws TOO_LARGE. */
async function requirePaperSize(
  { papers }: AttemptContext,
  request: FastifyRequest,
): Promise<void> {
  const length = bodyBytesOf(request);
  if (length <= REQUEST_LIMITS.smallBodyBytes) return;
  const { id } = request.params as { id: string };
  const paper = Id.safeParse(id).success ? await papers.find(id) : undefined;
  if (paper && length > REQUEST_LIMITS.smallBodyBytes + ANSWERS_FACTOR * paper.answersBytes) {
    throw new AppError('TOO_LARGE');
  }
}

/**
 * Registers every row of the endpoint table; the types demand a handler for each. A row without an access
 * level stops the start: closed by default.
 */
export function registerEndpoints(
  app: FastifyInstance,
  ctx: AttemptContext & ProcessContext,
  handlers: Required<Handlers>,
): void {
  for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
    const row: Endpoint = ENDPOINTS[name];
    const handler = handlers[name] as (call: unknown) => Promise<unknown>;
    const [status] = Object.keys(row.responses).map(Number);
    if (row.access !== 'public' && row.access.length === 0)
      throw new Error(`endpoint ${name} has no access level`);
    const isOfAttempts = row.access !== 'public' && row.access.includes('participant');
    const needed = permissionsOf(row);
    const takesQuiz = row.query instanceof z.ZodObject && 'quizId' in row.query.shape;
    /** An administrator may have been deleted while the body was arriving. */
    const requireStillSignedIn = async (request: FastifyRequest) => {
      if (!request.isBodyOnItsWay) return;
      request.caller = admit(row, await request.readSession('fresh'), ctx.clock.now());
      await requirePermissions(request);
    };
    const requirePermissions = async (request: FastifyRequest) => {
      const { caller } = request;
      if (caller?.kind !== 'admin' || needed.length === 0) return;
      const { id } = request.params as { id?: string };
      // Only of a call that takes it: any other answers with everything, whatever its address says.
      const { quizId } = takesQuiz ? (request.query as { quizId?: unknown }) : {};
      request.admitted = await requirePermission(ctx.db, needed, caller.grants, id, quizId);
    };
    app.register(async (scope) => {
      for (const type of row.consumes ?? []) {
        scope.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) =>
          done(null, body),
        );
      }
      scope.route({
        method: row.method,
        url: row.path,
        ...(row.bodyLimit === undefined ? {} : { bodyLimit: row.bodyLimit }),
        config: {
          cost: row.cost ?? 1,
          isStream: row.produces === STREAM,
          isBulk: row.isBulk ?? false,
        },
        // Not on the answer path.
        ...(needed.length > 0 && row.body
          ? {
              preValidation: (request) => validateLongLists(row.body, request),
              preHandler: requireStillSignedIn,
            }
          : {}),
        // A stream without a reader would stay open, and count as someone watching.
        ...(row.produces === STREAM ? { exposeHeadRoute: false } : {}),
        schema: {
          operationId: name,
          summary: row.summary,
          tags: [row.path.split('/')[2] ?? ''],
          ...(row.params ? { params: row.params } : {}),
          ...(row.query ? { querystring: row.query } : {}),
          ...(row.body ? { body: row.body } : {}),
          ...(row.produces ? {} : { response: responsesOf(row) }),
        },
        // Before the body is read and validated: a stranger learns nothing, not even what is valid.
        onRequest: async (request) => {
          if (row.method === 'GET' && row.access !== 'public') requireOwnPage(request);
          if (isOfAttempts) await ctx.liveness.caughtUp(ctx.clock.now());
          const how = SESSION_CHECKED_IN_STATEMENT.has(name) ? 'cached' : 'fresh';
          request.caller = admit(row, await request.readSession(how), ctx.clock.now());
          await requirePermissions(request);
          if (request.caller?.kind === 'admin') {
            if (row.isBulk) allowSlowBody(request.raw);
            request.isBodyOnItsWay = request.raw.complete === false;
          }
          if (row.sizedByPaper) await requirePaperSize(ctx, request);
          requireSender(row, request);
        },
        handler: async (request, reply) => {
          const { caller, admitted = BY_NO_PERMISSION } = request;
          const now = ctx.clock.now();
          const requireActing =
            caller?.kind === 'admin'
              ? requireActingOf(ctx, caller, !needed.includes('self'))
              : undefined;
          const call = {
            ...admitted,
            params: request.params,
            query: request.query,
            body: request.body,
            session: caller,
            command: commandFor(row, request, now, requireActing),
            now,
            request,
            reply,
          };
          const answer = await handler(call);
          const success = answer instanceof Reply ? answer : new Reply(status ?? 200, answer);
          const schema = row.produces ? null : row.responses[success.status];
          const reader = { shows: admitted.shows, aliases: ctx.keys.aliases };
          const body = schema ? show(schema, success.body, reader) : success.body;
          reply.code(success.status).headers(success.headers);
          ctx.metrics.countResponse(success.status);
          if (row.produces === STREAM) reply.headers(STREAM_HEADERS);
          if (typeof row.produces === 'string') reply.type(contentTypeOf(row.produces));
          // A stream of events ends by itself (`WatchedSessions`).
          if (requireActing && body instanceof Readable && row.produces !== STREAM) {
            return reply.send(whileActing(body, () => requireActing(ctx.db, ctx.clock.now())));
          }
          return reply.send(body);
        },
      });
    });
  }

  /** Builds the command of an administrator's call, where its row names an entry. */
  function commandFor(
    row: Endpoint,
    { caller, admitted = BY_NO_PERMISSION, body, params }: FastifyRequest,
    now: Date,
    requireActing: RequireActing | undefined,
  ): Command<string> | undefined {
    if (caller?.kind !== 'admin' || !requireActing || actionsOf(row).length === 0) return undefined;
    const { adminId: id, grants, passwordAt } = caller;
    const { reach, sees } = admitted;
    // Other rows merge with what was changed since.
    const read = row.errors.includes('STALE') ? (body as { before?: unknown }) : {};
    return commandOf(ctx.db, {
      actor: { kind: 'admin', id, grants, passwordAt, reach, sees },
      ...{ now, requireActing, before: read.before },
      changes: { actions: actionsOf(row), id: (params as { id?: string }).id ?? null },
    });
  }
}

/**
 * Refuses a request whose sender has left: nothing of it is read, and its body would never end. Throws
 * UNAVAILABLE.
 */
function requireSender({ method }: Endpoint, request: FastifyRequest): void {
  const isDropped = method === 'GET' || bodyBytesOf(request) > 0;
  if (request.raw.destroyed && isDropped) throw new AppError('UNAVAILABLE');
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Session | undefined;
    admitted: Admitted | undefined;
    /** An administrator was admitted before all of the body had arrived. */
    isBodyOnItsWay: boolean;
  }
}

/** Admits a caller or throws the reason. A replaced session is distinguished from a missing one. */
function admit(
  { access, beforeTotp, freshPassword }: Endpoint,
  session: Session | undefined,
  now: Date,
): Session | undefined {
  if (session?.endedAt != null) {
    if (access === 'public') return undefined;
    throw new AppError(session.endReason === 'replaced' ? 'SESSION_REPLACED' : 'NOT_SIGNED_IN');
  }
  if (access === 'public') return session;
  if (!session) throw new AppError('NOT_SIGNED_IN');
  const isAdmitted =
    session.kind === 'admin' ? permissionsOf({ access }).length > 0 : access.includes(session.kind);
  if (!isAdmitted) throw new AppError('FORBIDDEN');
  if (session.kind === 'admin' && session.mustSetUpTotp && !beforeTotp) {
    throw new AppError('TOTP_NEEDED');
  }
  if (session.kind === 'admin' && freshPassword) requireFreshPassword(session, now);
  return session;
}

function contentTypeOf(mediaType: string): string {
  return mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType;
}

function responsesOf(row: Endpoint): Record<number, z.ZodType> {
  const out: Record<number, z.ZodType> = {};
  for (const [status, schema] of Object.entries(row.responses))
    if (schema) out[Number(status)] = schema;
  return out;
}
