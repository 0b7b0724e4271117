import type { AttemptContext } from '../../app-context.ts';
import type { Handlers } from '../../http/endpoints.ts';
import {
  clearSessionCookie,
  readDeviceCookie,
  setDeviceCookie,
  setSessionCookie,
} from '../../http/session.ts';
import { confirmPassword } from './passwords/check-password.ts';
import { readAccount } from './read-account.ts';
import { takeSecondStep } from './second-step.ts';
import { signIn, signOut } from './sign-in.ts';

export function authHandlers(ctx: AttemptContext) {
  return {
    async login({ body, request, reply, now }) {
      const caller = { address: request.ip, device: readDeviceCookie(request, ctx) };
      const answer = await signIn(ctx, body, caller, now);
      if ('pending' in answer) return { status: 202, body: { pending: answer.pending } };
      setSessionCookie(reply, ctx, answer.token);
      const { kind, email } = answer.session;
      if (kind === 'admin') setDeviceCookie(reply, ctx, email, now);
      return { status: 200, body: await readAccount(ctx, answer.session, now, answer.found) };
    },
    async secondStep({ body, reply, now }) {
      const { token, session } = await takeSecondStep(ctx, body.pending, body.code, now);
      setSessionCookie(reply, ctx, token);
      setDeviceCookie(reply, ctx, session.email, now);
      return { status: 200, body: await readAccount(ctx, session, now) };
    },
    async confirmPassword({ body, session, now }) {
      await confirmPassword(ctx, session, body.currentPassword, now);
      return { status: 204 };
    },
    async me({ session, now }) {
      return { status: 200, body: await readAccount(ctx, session, now) };
    },
    async logout({ session, reply, now }) {
      if (session) await signOut(ctx, session, now);
      clearSessionCookie(reply, ctx);
      // Images of questions and pages of results; not the storage, which may hold unsent answers.
      return { status: 204, headers: { 'clear-site-data': '"cache"' } };
    },
  } satisfies Handlers;
}
