import fastifyCookie from '@fastify/cookie';
import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import type { BaseContext, ProcessContext } from '../app-context.ts';
import type { Session } from '../db/queries/sessions.ts';
import { newDeviceCookie } from '../security/device-cookie.ts';
import { hashSessionToken } from '../security/secrets/tokens.ts';
import { SessionCache, SessionReader } from '../sessions/session-reader.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The session token in the cookie, live or not. */
    sessionToken(): string | undefined;
    /** Reads the cookie and looks the session up; `undefined` when there is none. */
    readSession(how: 'fresh' | 'cached'): Promise<Session | undefined>;
  }
}

/**
 * The name of a cookie. With https it has the prefix with which browsers refuse it from a neighboring host or
 * over http; http on localhost, where tests and first tries run, cannot have it.
 */
const cookieName = (ctx: Pick<BaseContext, 'config'>, what: 'session' | 'device' = 'session') =>
  `${isHttps(ctx) ? '__Host-' : ''}invigil_${what}`;
const isHttps = (ctx: Pick<BaseContext, 'config'>) => ctx.config.publicUrl.startsWith('https:');

type Installation = Pick<BaseContext, 'config' | 'clock' | 'db' | 'keys' | 'trust'>;
type Sessions = Installation & Pick<ProcessContext, 'budgets'>;

/** Sets the session cookie; the token itself is never stored. */
export function setSessionCookie(reply: FastifyReply, ctx: Installation, token: string): void {
  reply.setCookie(cookieName(ctx), token, cookieOptions(ctx));
}

/**
 * Lets the session cookie outlive the browser: a crash does not end a running attempt's. Its age is not
 * that of the session: extra time may come, and late answers after the end.
 */
export function renewSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  ctx: Installation,
): void {
  const token = request.sessionToken();
  if (token === undefined) return;
  const maxAge = SESSION_LIMITS.candidateCookieMs / 1_000;
  reply.setCookie(cookieName(ctx), token, { ...cookieOptions(ctx), maxAge });
}

export function clearSessionCookie(reply: FastifyReply, ctx: Installation): void {
  reply.clearCookie(cookieName(ctx), cookieOptions(ctx));
}

/** Marks this browser as one in which an administrator signed in; outlives the session. */
export function setDeviceCookie(
  reply: FastifyReply,
  ctx: Installation,
  email: string,
  now: Date,
): void {
  const cookie = newDeviceCookie(ctx.keys.devices, email, now);
  const maxAge = SESSION_LIMITS.knownDeviceMs / 1_000;
  reply.setCookie(cookieName(ctx, 'device'), cookie, { ...cookieOptions(ctx), maxAge });
}

/** The device cookie as received; `knownDevice` verifies it. */
export function readDeviceCookie(request: FastifyRequest, ctx: Installation): string | undefined {
  return request.server.parseCookie(request.headers.cookie ?? '')[cookieName(ctx, 'device')];
}

function cookieOptions(ctx: Installation) {
  return {
    path: '/',
    httpOnly: true,
    sameSite: 'lax' as const,
    secure: isHttps(ctx),
  };
}

/**
 * Cookie sessions. Most calls look the session up each time, so that a sign-out or a deletion takes
 * effect at once on every process. The answer path uses the cache: its statement itself checks that the
 * session is the attempt's current one (I17), so a stale entry can read nothing and write nothing.
 */
export const sessionPlugin = plugin(
  async (app, ctx: Sessions) => {
    // Cookies are parsed when a session is needed, not on every request.
    await app.register(fastifyCookie, { hook: false });
    const name = cookieName(ctx);
    const cache = new SessionCache();
    const reader = new SessionReader(ctx);

    app.decorateRequest('sessionToken', function sessionToken(this: FastifyRequest) {
      const token = app.parseCookie(this.headers.cookie ?? '')[name];
      return token === undefined || token.length > 100 ? undefined : token;
    });
    app.decorateRequest('readSession', async function readSession(this: FastifyRequest, how) {
      const token = this.sessionToken();
      if (token === undefined) return undefined;
      const now = ctx.clock.now();
      if (how === 'cached') {
        const cached = cache.find(token, now);
        if (cached) return cached;
      }
      const tokenHash = hashSessionToken(ctx.keys.sessions, token);
      const session = await reader.find(tokenHash, now);
      if (session?.endedAt === null) {
        ctx.budgets.recognize(token, session);
        if (session.kind === 'participant') cache.keep(token, session);
      }
      return session;
    });
  },
  { name: 'session' },
);
