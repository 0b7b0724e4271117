import type { Readable } from 'node:stream';
import type { AppContext } from '../../../app-context.ts';
import type { AdminSession } from '../../../db/queries/sessions.ts';
import { openAdminStream } from '../../attempt-news/admin-stream.ts';

/** Back-pressure: a reader with more unread than this is sent nothing, and then a whole frame. */
const MAX_UNREAD_BYTES = 1_000_000;

/** The live board for one administrator. */
export function streamLive(ctx: AppContext, session: AdminSession): Readable {
  const stream = openAdminStream(ctx, session, 'live', () => unsubscribe());
  const unsubscribe = ctx.liveBoard.subscribe((frame) => {
    if (stream.unreadBytes > MAX_UNREAD_BYTES) return false;
    stream.sendJson('board', frame);
    return true;
  });
  return stream.body;
}
