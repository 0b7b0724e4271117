import { isDeepStrictEqual } from 'node:util';
import type { LiveContext } from '../../app-context.ts';
import { keepAdminSession } from '../../db/queries/session-changes.ts';
import type { AdminSession } from '../../db/queries/sessions.ts';
import { guardOf } from '../../sessions/session-reader.ts';
import { EventStream } from './event-stream.ts';

/** After a sign-out or a lost right nothing more is read for longer than a second. */
const SESSION_EVERY_MS = 800;
/** Open tabs per administrator; one more ends the oldest. */
const MAX_TABS = 8;

/**
 * An event stream for an administrator. It counts as activity (product 5) and ends with the
 * session, so it does not outlive a sign-out, nor with other rights. `onEnd` is called once.
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
    isAsOpened(ctx, session)
      .then((isLive) => isLive || stream.end())
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'a session could not be checked'));
  }, SESSION_EVERY_MS);
  checking.unref();
  ctx.openStreams.add(key, stream, MAX_TABS);
  return stream;
}

/** Whether a session is live and may do what it might when the stream was opened. */
async function isAsOpened(ctx: LiveContext, { id, grants }: AdminSession) {
  const rows = await keepAdminSession(ctx.db, id, ctx.clock.now());
  const admin = rows && guardOf(ctx).adminOf(rows);
  return isDeepStrictEqual(admin?.grants, grants);
}
