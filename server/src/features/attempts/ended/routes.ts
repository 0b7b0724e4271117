import type { AppContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { noteAfterEnd } from '../violations/note-violation.ts';
import { readEndedAttempt } from './describe-end.ts';

export function endedAttemptHandlers(ctx: AppContext) {
  return {
    async getEndedAttempt({ params, session, now }) {
      return { status: 200, body: await readEndedAttempt(ctx, session, params.id, now) };
    },
    async noteAfterEnd({ params, body, now }) {
      await noteAfterEnd(ctx, params.id, body, now);
      return { status: 200, body: { id: params.id, note: body.note } };
    },
  } satisfies Handlers;
}
