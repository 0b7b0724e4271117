import type { LiveContext } from '../../app-context.ts';
import { keepAdminSession } from '../../db/queries/session-changes.ts';
import type { AdminSession } from '../../db/queries/sessions.ts';
import { EventStream } from './event-stream.ts';

const SESSION_EVERY_MS = 3_000;
/** Open tabs per administrator; one more ends the oldest. */
const MAX_TABS = 8;

/**
 * An event stream for an administrator. It counts as activity (product 5) and ends with the
 * session, so it does not outlive a sign-out. `onEnd` is called once.
 */
export function openAdminStream(
  ctx: LiveContext,
  session: AdminSession,
  kind: 'live' | 'watch',
  onEnd: () => void,
): EventStream {
  const key = `${kind}/${session.id}`;
  const stream = new EventStream(() => {
    clearInterval(checking);
    ctx.openStreams.delete(key, stream);
    onEnd();
  });
  const checking = setInterval(() => {
    keepAdminSession(ctx.db, session.id, ctx.clock.now())
      .then((isLive) => isLive || stream.end())
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'a session could not be checked'));
  }, SESSION_EVERY_MS);
  checking.unref();
  ctx.openStreams.add(key, stream, MAX_TABS);
  return stream;
}
