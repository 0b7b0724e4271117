import type { LiveContext } from '../../app-context.ts';
import type { AdminSession } from '../../db/queries/sessions.ts';
import { EventStream } from './event-stream.ts';

/** Open tabs per administrator; one more ends the oldest. */
const MAX_TABS = 8;

/**
 * An event stream for an administrator. It counts as activity (product 5) and ends with the session, so it
 * does not outlive a sign-out, nor a change of grants. `onEnd` is called once.
 */
export function openAdminStream(
  ctx: LiveContext,
  session: AdminSession,
  kind: 'live' | 'watch',
  onEnd: () => void,
): EventStream {
  const key = `${kind}/${session.id}`;
  const stream = new EventStream(() => {
    ctx.watchedSessions.delete(stream);
    ctx.openStreams.delete(key, stream);
    onEnd();
  });
  ctx.watchedSessions.add(stream, session);
  ctx.openStreams.add(key, stream, MAX_TABS);
  return stream;
}
