import type { Readable } from 'node:stream';
import type { Thumbnail } from '@invigil/core/contract/live';
import { LIVE_LIMITS } from '@invigil/core/domain/limits';
import type { AppContext } from '../../../app-context.ts';
import { findParticipant } from '../../../db/queries/attempts/attempts.ts';
import { recordAudit } from '../../../db/queries/audit.ts';
import type { AdminSession } from '../../../db/queries/sessions.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { openAdminStream } from '../../attempt-news/admin-stream.ts';
import type { EventStream } from '../../attempt-news/event-stream.ts';
import { policyFor } from '../../attempts/present.ts';

const LOOK_EVERY_MS = 3_000;

/**
 * The camera picture of one person, a new one each second at most. The candidate's page is asked for
 * it as long as this stream is open, and no longer. Audited before the first picture.
 *
 * Throws NOT_FOUND, NOT_RUNNING, SENSOR_OFF.
 */
export async function watchParticipant(
  ctx: AppContext,
  session: AdminSession,
  participantId: string,
  now: Date,
): Promise<Readable> {
  const attempt = await findParticipant(ctx.db, participantId);
  if (!attempt) throw new AppError('NOT_FOUND');
  if (attempt.status !== 'in_progress') throw new AppError('NOT_RUNNING');
  if (!policyFor(attempt).camera) throw new AppError('SENSOR_OFF');
  await recordAudit(ctx.db, {
    adminId: session.adminId,
    action: 'participant.watched',
    subject: { type: 'participant', id: participantId },
    at: now,
  });
  let shown: Thumbnail | undefined;
  const show = () => {
    const newest = ctx.thumbnails.newest(participantId);
    const at = newest?.at.toISOString() ?? null;
    // A reader that is slow misses pictures; there is always a newer one.
    if (shown?.at === at || !stream || stream.unreadBytes > 0) return;
    shown = { at, jpeg: newest?.jpeg.toString('base64') ?? null };
    stream.send('thumbnail', shown);
  };
  const look = () => {
    findParticipant(ctx.db, participantId)
      .then((found) => found?.status === 'in_progress' || stream?.end())
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'an attempt could not be read'));
  };
  let stream: EventStream | undefined;
  // Before the stream: from its first moment on it can end, and has to find all that it ends.
  const unsubscribe = await ctx.attemptNews.subscribe(participantId, look);
  const unwatch = ctx.thumbnails.watch(participantId);
  const showing = setInterval(show, LIVE_LIMITS.frameEveryMs);
  // A submit is not told to everybody: so many come at once.
  const looking = setInterval(look, LOOK_EVERY_MS);
  stream = openAdminStream(ctx, session, 'watch', () => {
    clearInterval(showing);
    clearInterval(looking);
    unwatch();
    unsubscribe();
  });
  show();
  // It may have ended before it was listened for.
  look();
  return stream.body;
}
