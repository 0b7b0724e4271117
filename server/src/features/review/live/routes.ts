import type { Readable } from 'node:stream';
import type { AttemptContext, LiveContext } from '../../../app-context.ts';
import type { AdminSession } from '../../../db/queries/sessions.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { openAdminStream } from '../../attempt-news/admin-stream.ts';
import { applyToMany } from './apply-to-many.ts';
import { countWriting } from './board-queries.ts';
import { watchParticipant } from './watch-participant.ts';

export function liveHandlers(ctx: AttemptContext & LiveContext) {
  return {
    async streamLive({ session }) {
      return { status: 200, body: streamLive(ctx, session) };
    },
    async getLiveCount() {
      return { status: 200, body: { writing: await countWriting(ctx.db) } };
    },
    async watchParticipant({ params, session, now }) {
      const body = await watchParticipant(ctx, session, params.id, now);
      return { status: 200, body };
    },
    async applyToMany({ body, session }) {
      return { status: 200, body: await applyToMany(ctx, session.adminId, body) };
    },
  } satisfies Handlers;
}

/** Back-pressure: a reader with more unread than this is sent nothing, and then a whole frame. */
const MAX_UNREAD_BYTES = 1_000_000;

/** The live board for one administrator. */
function streamLive(ctx: LiveContext, session: AdminSession): Readable {
  const stream = openAdminStream(ctx, session, 'live', () => unsubscribe());
  const unsubscribe = ctx.liveBoard.subscribe((frame) => {
    if (stream.unreadBytes > MAX_UNREAD_BYTES) return false;
    stream.sendJson('board', frame);
    return true;
  });
  return stream.body;
}
