import type { AppContext } from '../../app-context.ts';
import type { Handlers } from '../../plugins/endpoints.ts';
import { inviteToQuiz } from './invite-to-quiz.ts';

export function invitationHandlers(ctx: AppContext) {
  return {
    async inviteToQuiz({ params, body, session, now }) {
      const lines = body.emails ?? [];
      return {
        status: 200,
        body: { invitations: await inviteToQuiz(ctx, session.adminId, params.id, lines, now) },
      };
    },
  } satisfies Handlers;
}
