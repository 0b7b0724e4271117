import fastifyCookie from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import type { AppContext } from '../app-context.ts';
import { SessionCache } from '../features/auth/session-cache.ts';
import { findSession, type Session } from '../features/auth/session-queries.ts';
import { hashSessionToken } from '../security/tokens.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Reads the cookie and looks the session up; `undefined` when there is none. */
    readSession(how: 'fresh' | 'cached'): Promise<Session | undefined>;
  }
}

const COOKIE = 'invigil_session';

/** Sets the session cookie; the token itself is never stored. */
export function setSessionCookie(reply: FastifyReply, ctx: AppContext, token: string): void {
  reply.setCookie(COOKIE, token, cookieOptions(ctx));
}

export function clearSessionCookie(reply: FastifyReply, ctx: AppContext): void {
  reply.clearCookie(COOKIE, cookieOptions(ctx));
}

function cookieOptions(ctx: AppContext) {
  return {
    path: '/',
    httpOnly: true,
    sameSite: 'lax' as const,
    secure: ctx.config.publicUrl.startsWith('https:'),
  };
}

/**
 * Cookie sessions. Most calls look the session up each time, so that a sign-out or a deletion holds
 * at once on every process. The answer path uses the cache: its statement itself checks that the
 * session is the attempt's current one (I17), so a stale entry can read nothing and write nothing.
 */
export const sessionPlugin = plugin(
  async (app, ctx: AppContext) => {
    // Cookies are read where a session is asked for, not on every request.
    await app.register(fastifyCookie, { hook: false });
    const cache = new SessionCache();

    app.decorateRequest('readSession', async function readSession(this: FastifyRequest, how) {
      const token = app.parseCookie(this.headers.cookie ?? '')[COOKIE];
      if (token === undefined || token.length > 100) return undefined;
      const now = ctx.clock.now();
      if (how === 'cached') {
        const cached = cache.find(token, now);
        if (cached) return cached;
      }
      const session = await findSession(ctx.db, hashSessionToken(ctx.keys.sessions, token), now);
      if (session?.kind === 'participant' && session.endedAt === null) cache.keep(token, session);
      return session;
    });
  },
  { name: 'session' },
);
