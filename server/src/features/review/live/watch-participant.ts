import type { Readable } from 'node:stream';
import type { Thumbnail } from '@invigil/core/contract/review/live';
import { LIVE_LIMITS } from '@invigil/core/domain/limits';
import type { AttemptContext, LiveContext } from '../../../app-context.ts';
import { findParticipant } from '../../../db/queries/attempts/attempts.ts';
import type { AdminSession } from '../../../db/queries/sessions.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';
import { openAdminStream } from '../../attempt-news/admin-stream.ts';
import type { EventStream } from '../../attempt-news/event-stream.ts';
import { policyFor } from '../../attempts/present.ts';

const CHECK_EVERY_MS = 3_000;

/**
 * Streams the camera pictures of one person, at most one a second. The candidate's page is asked
 * for them only while this stream is open. Audited before the first picture.
 *
 * Throws NOT_FOUND, NOT_RUNNING, SENSOR_OFF.
 */
export async function watchParticipant(
  ctx: AttemptContext & LiveContext,
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
    // A slow reader misses pictures; there is always a newer one.
    if (shown?.at === at || !stream || stream.unreadBytes > 0) return;
    shown = { at, jpeg: newest?.jpeg.toString('base64') ?? null };
    stream.send('thumbnail', shown);
  };
  const checkStatus = () => {
    findParticipant(ctx.db, participantId)
      .then((found) => found?.status === 'in_progress' || stream?.end())
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'an attempt could not be read'));
  };
  let stream: EventStream | undefined;
  // Before the stream: it can end from its first moment on, and then cleans all of this up.
  const unsubscribe = await ctx.attemptNews.subscribe(participantId, checkStatus);
  const unwatch = ctx.thumbnails.watch(participantId);
  const showing = setInterval(show, LIVE_LIMITS.frameEveryMs);
  // Submits send no notification, because so many come at once; this poll sees them.
  const checking = setInterval(checkStatus, CHECK_EVERY_MS);
  stream = openAdminStream(ctx, session, 'watch', () => {
    clearInterval(showing);
    clearInterval(checking);
    unwatch();
    unsubscribe();
  });
  show();
  // The attempt may have ended before the subscription.
  checkStatus();
  return stream.body;
}
