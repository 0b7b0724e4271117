import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { BUDGET_LIMITS, REQUEST_LIMITS } from '@invigil/core/domain/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import type { ProcessContext } from '../../app-context.ts';
import type { Refused } from '../../metrics/metrics.ts';
import { AppError } from '../../runtime/app-error.ts';
import type { KnownCaller } from './budgets.ts';
import { bodyBytesOf, pausedSockets } from './request-bodies.ts';

const AGAIN_AFTER_SECONDS = 1;

/**
 * Admission control: decides in constant time, before the body is read, whether a request is processed
 * (product 11). A known session has its own budget, which no one else can use up; all others share that
 * of their network, and only a few of them are processed at once, so that candidates are served between
 * them under any load.
 */
export const admission = plugin(
  async (
    app,
    {
      ctx,
      onFlood,
    }: {
      ctx: Pick<ProcessContext, 'budgets' | 'metrics'>;
      /** Called with an invitation whose sessions were refused more often than a page's would be. */
      onFlood(invitationId: string): void;
    },
  ) => {
    const turns = new Turns(BUDGET_LIMITS.strangersPerTurn);
    let strangers = 0;

    const refuse = (
      why: Refused,
      request: FastifyRequest,
      reply: FastifyReply,
      seconds: number,
    ) => {
      ctx.metrics.requestsRefused.inc({ reason: why });
      pauseAfter(request, reply);
      const code = why === 'crowded' ? 'UNAVAILABLE' : 'TOO_MANY_REQUESTS';
      return new AppError(code, { retryAfterSeconds: Math.max(1, Math.ceil(seconds)) });
    };

    app.addHook('onRequest', (request, reply, done) => {
      // Read before its connection was closed, or after the answer that announced its end.
      const { socket } = request.raw;
      if (socket.destroyed || socket.writableEnded) return void reply.hijack();
      // The route that matched decides, never the path, which has many spellings.
      const { cost = 1, isStream = false, isBulk = false } = request.routeOptions.config;
      if (cost === 0) return done();
      const bytes = bodyBytesOf(request);
      if (bytes > BUDGET_LIMITS.unreadMaxBytes && isForShortBodies(request)) {
        pauseAfter(request, reply);
        return done(new AppError('TOO_LARGE'));
      }
      const token = request.sessionToken();
      const caller = token === undefined ? undefined : ctx.budgets.callerOf(token);
      const isFree = isBulk && caller?.invitationId === null;
      const tokens = cost + (isFree ? 0 : Math.floor(bytes / BUDGET_LIMITS.bytesPerToken));
      const now = performance.now();
      if (!caller) {
        const seconds = ctx.budgets.networkOf(request.ip).take(tokens, now);
        return done(
          seconds === 0 ? refusalOf(request) : refuse('network', request, reply, seconds),
        );
      }
      const isFull = !isStream && caller.inFlight >= BUDGET_LIMITS.session.inFlight;
      const seconds = isFull ? AGAIN_AFTER_SECONDS : caller.bucket.take(tokens, now);
      if (seconds > 0) {
        if (caller.countRefusal(now) && caller.invitationId !== null) onFlood(caller.invitationId);
        return done(refuse('session', request, reply, seconds));
      }
      if (!isStream) countInFlight(reply.raw, caller);
      done(refusalOf(request));
    });

    // Guesses beyond the throttle get past the network's budget, so their connections pause as well.
    app.addHook('onError', (request, reply, error, done) => {
      if (error instanceof AppError && error.code === 'THROTTLED') pauseAfter(request, reply);
      done();
    });

    // Only once the body has arrived: a client that drips its body must not occupy a place.
    app.addHook('preValidation', (request, reply, done) => {
      if (request.caller || request.routeOptions.config.cost === 0) return done();
      if (strangers >= BUDGET_LIMITS.strangersInFlight) {
        return done(refuse('crowded', request, reply, AGAIN_AFTER_SECONDS));
      }
      strangers += 1;
      (reply.raw as Answer)[STRANGER] = true;
      void turns.take().then(() => done());
    });
    // Every request comes here once its handler has ended, also one whose connection is closed.
    app.addHook('onSend', (_request, { raw }: { raw: Answer }, payload, done) => {
      // A client that reads its answer slowly must not keep the place of a stranger.
      if (raw[STRANGER]) {
        raw[STRANGER] = false;
        strangers -= 1;
      }
      if (payload instanceof Readable) endWithConnection(raw, payload);
      else handlerEnded(raw);
      done();
    });
  },
  { name: 'admission', dependencies: ['session'] },
);

/**
 * Why a request within its budget is refused before its body is read: it matches nothing, or names
 * another server as requests to a proxy do.
 */
function refusalOf({ is404, raw }: FastifyRequest): AppError | undefined {
  if (is404) return new AppError('NOT_FOUND');
  return raw.url?.startsWith('/') ? undefined : new AppError('INVALID_INPUT');
}

/** Sign-ins, heartbeats, reports: a far larger body is no mistake, and is not read to its end. */
function isForShortBodies({ routeOptions: { bodyLimit } }: FastifyRequest): boolean {
  return bodyLimit !== undefined && bodyLimit <= 4 * REQUEST_LIMITS.smallBodyBytes;
}

const CALLER = Symbol('the caller of the request');
const IS_HANDLED = Symbol('the handler has ended');
const IS_CLOSED = Symbol('the response has been sent, or its connection is lost');
const STRANGER = Symbol('the request has a place of those without a session');
type Answer = ServerResponse & {
  [CALLER]?: KnownCaller | undefined;
  [IS_HANDLED]?: boolean;
  [IS_CLOSED]?: boolean;
  [STRANGER]?: boolean;
};

/**
 * Counts a request until the response has been sent or its connection is lost, and the handler has ended:
 * work that goes on after its sender left is still theirs. No closure: this is on the answer path.
 */
function countInFlight(answer: Answer, caller: KnownCaller): void {
  caller.inFlight += 1;
  answer[CALLER] = caller;
  answer.once('close', closed);
}

function closed(this: Answer): void {
  this[IS_CLOSED] = true;
  release(this);
}

function handlerEnded(answer: Answer): void {
  answer[IS_HANDLED] = true;
  release(answer);
}

function release(answer: Answer): void {
  const caller = answer[CALLER];
  if (!caller || !answer[IS_HANDLED] || !answer[IS_CLOSED]) return;
  caller.inFlight -= 1;
  answer[CALLER] = undefined;
}

/**
 * A file is made while it is sent, so its handler has ended when the file has. It ends with its connection:
 * nothing else would end one that is sent to no one, such as in answer to HEAD.
 */
function endWithConnection(answer: Answer, file: Readable): void {
  file.once('close', () => handlerEnded(answer));
  const end = () => void file.destroy();
  if (answer.closed) end();
  else answer.once('close', end);
}

/**
 * Stops reading from the connection for a while once the refusal has been sent, so that a client that
 * ignores answers costs one refusal in that time. One that announced its end (request-bodies.ts) is then
 * cut. Not behind a proxy, where others share the connection. One that sent more before it had the answer,
 * as no browser does, is closed at once.
 */
function pauseAfter(request: FastifyRequest, reply: FastifyReply): void {
  const { socket } = request.raw;
  if (!(socket instanceof Socket) || socket.remoteAddress !== request.ip) return;
  if (pausedSockets.has(socket)) return void socket.destroy();
  pausedSockets.add(socket);
  // The pause has jitter: those refused together would otherwise come back together.
  const { pauseMs, pauseSpread, pauseLargeFactor } = BUDGET_LIMITS;
  const spreadMs = pauseMs * (1 + Math.random() * pauseSpread);
  reply.raw.once('finish', () => {
    const isEnding = reply.getHeader('connection') === 'close';
    const ms = isEnding ? spreadMs * pauseLargeFactor : spreadMs;
    // After the response is finished Node begins to read the rest of the body.
    setImmediate(() => {
      socket.pause();
      setTimeout(() => {
        pausedSockets.delete(socket);
        if (isEnding) socket.destroy();
        else socket.resume();
      }, ms).unref();
    });
  });
}

/**
 * Lets a number pass per turn of the event loop; the others wait in order, so that other work runs
 * between them. Nothing is held once a request has passed: a password queued for hashing blocks no one.
 */
export class Turns {
  readonly #perTurn: number;
  readonly #waiting: (() => void)[] = [];
  #passed = 0;
  #nextTurn: NodeJS.Immediate | undefined;

  constructor(perTurn: number) {
    this.#perTurn = perTurn;
  }

  async take(): Promise<void> {
    this.#nextTurn ??= setImmediate(() => this.#begin());
    if (this.#passed < this.#perTurn) this.#passed += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #begin(): void {
    const passing = this.#waiting.splice(0, this.#perTurn);
    this.#passed = passing.length;
    this.#nextTurn = passing.length > 0 ? setImmediate(() => this.#begin()) : undefined;
    for (const pass of passing) pass();
  }
}
