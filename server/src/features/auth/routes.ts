import type { AppContext } from '../../app-context.ts';
import type { Handlers } from '../../plugins/endpoints.ts';
import { clearSessionCookie, setSessionCookie } from '../../plugins/session.ts';
import { readAccount } from './read-account.ts';
import { takeSecondStep } from './second-step.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';

export function authHandlers(ctx: AppContext) {
  return {
    async login({ body, request, reply, now }) {
      const answer = await signIn(ctx, body.email, body.password, request.ip, now);
      if ('pending' in answer) return { status: 202, body: { pending: answer.pending } };
      setSessionCookie(reply, ctx, answer.token);
      return { status: 200, body: await readAccount(ctx, answer.session, now, answer.found) };
    },
    async secondStep({ body, reply, now }) {
      const { token, session } = await takeSecondStep(ctx, body.pending, body.code, now);
      setSessionCookie(reply, ctx, token);
      return { status: 200, body: await readAccount(ctx, session, now) };
    },
    async me({ session, now }) {
      return { status: 200, body: await readAccount(ctx, session, now) };
    },
    async logout({ session, reply, now }) {
      if (session) await signOut(ctx, session, now);
      clearSessionCookie(reply, ctx);
      return { status: 204 };
    },
  } satisfies Handlers;
}
