import type { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import type { ParsedBodyOf } from '@invigil/core/contract/definition/endpoint';
import type {
  applyToMany as endpoint,
  LiveFrame,
  Thumbnail,
} from '@invigil/core/contract/review/live';
import { LIVE_LIMITS, PAUSE_LIMITS } from '@invigil/core/domain/limits';
import { isWithin } from '@invigil/core/domain/rights';
import type { AttemptContext, BaseContext, LiveContext } from '../../../app-context.ts';
import { findParticipant } from '../../../db/queries/attempts/attempts.ts';
import { listPlaces, listQuizIds } from '../../../db/queries/places.ts';
import type { AdminSession } from '../../../db/queries/sessions.ts';
import type { CallOf, Handlers } from '../../../http/endpoints.ts';
import { AppError } from '../../../runtime/app-error.ts';
import type { Write } from '../../../sessions/command.ts';
import { type Admitted, requireReach } from '../../../sessions/guards.ts';
import { openAdminStream } from '../../attempt-news/admin-stream.ts';
import type { EventStream } from '../../attempt-news/event-stream.ts';
import { requireAttempt } from '../../attempts/own-attempt.ts';
import { policyFor } from '../../attempts/present.ts';
import { sendMessageOnce } from '../../attempts/send-message.ts';
import {
  endParticipant,
  extendParticipant,
  pauseParticipant,
  resumeParticipant,
} from '../manage-participant.ts';
import { countWriting } from './board-queries.ts';
import { isAnyHall } from './hall-queries.ts';

export function liveHandlers(ctx: AttemptContext & LiveContext) {
  return {
    streamLive: ({ session, reach, sees }) => streamLive(ctx, session, { reach, sees }),
    async getLiveCount({ reach, now }) {
      const hasHall = await isAnyHall(ctx.db, reach, now);
      return { writing: await countWriting(ctx.db, reach), ...(hasHall ? { hasHall: true } : {}) };
    },
    watchParticipant: (call) => watchParticipant(ctx, call),
    async applyToMany({ body, command, reach }) {
      await requireReach(ctx.db, reach, 'participant', body.ids);
      return await applyToMany(ctx, command, body);
    },
  } satisfies Handlers;
}

/** Back-pressure: a reader with more unread than this is sent nothing, and then a whole frame. */
const MAX_UNREAD_BYTES = 1_000_000;

const CHECK_EVERY_MS = 3_000;

async function streamLive(
  ctx: LiveContext,
  session: AdminSession,
  { reach, sees }: Pick<Admitted, 'reach' | 'sees'>,
): Promise<Readable> {
  const seen = reach === 'all' ? undefined : await listQuizIds(ctx.db, reach);
  const narrow = seen && narrowed(seen);
  // An assessment was made, or moved in or out of reach: the page opens the stream again.
  const check = async () => {
    const now = await listQuizIds(ctx.db, reach);
    if (!isDeepStrictEqual(now, seen)) stream.end();
  };
  const checking =
    seen &&
    setInterval(() => {
      check().catch((error: unknown) => ctx.log.warn({ err: error }, 'a reach could not be read'));
    }, CHECK_EVERY_MS);
  const stream = openAdminStream(ctx, session, 'live', () => {
    clearInterval(checking);
    unsubscribe();
  });
  const unsubscribe = ctx.liveBoard.subscribe((frame) => {
    if (stream.unreadBytes > MAX_UNREAD_BYTES) return false;
    stream.sendJson('board', narrow ? JSON.stringify(narrow(JSON.parse(frame))) : frame);
    return true;
  }, sees);
  return stream.body;
}

/** Frames of the board with some assessments only; with counts of these only. */
function narrowed(quizIds: ReadonlySet<string>): (frame: LiveFrame) => LiveFrame {
  const isSeen = ({ quizId }: { quizId: string }) => quizIds.has(quizId);
  const needsAttention = new Map<string, boolean>();
  return (frame) => {
    if (frame.isWhole) needsAttention.clear();
    const attempts = frame.attempts.filter(isSeen);
    for (const { id, attention } of attempts) needsAttention.set(id, attention !== null);
    const gone = frame.gone.filter((id) => needsAttention.delete(id));
    return {
      ...frame,
      attempts,
      gone,
      writing: needsAttention.size,
      needAttention: [...needsAttention.values()].filter(Boolean).length,
      ...(frame.quizzes ? { quizzes: frame.quizzes.filter(isSeen) } : {}),
      ...(frame.ended ? { ended: frame.ended.filter(isSeen) } : {}),
    };
  };
}

type Body = ParsedBodyOf<typeof endpoint>;

/** The outcome per attempt; a refusal is reported and does not hold up the others. */
interface Done {
  done: string[];
  refused: { id: string; code: string; message: string }[];
}

/**
 * Applies one action to many attempts, one after another, each in its own transaction. A failure
 * midway fails the call; sending it again with the same id (an idempotency key) applies it to the
 * remaining attempts and reports all of them as done.
 */
async function applyToMany(
  ctx: BaseContext,
  command: CallOf<'applyToMany'>['command'],
  { id: actionId, ids, action, reason = '' }: Body,
): Promise<Done> {
  const result: Done = { done: [], refused: [] };
  const begunAt = ctx.clock.now().getTime();
  for (const id of new Set(ids)) {
    // Read per attempt: the last of many also gets its ten seconds before an end.
    const now = ctx.clock.now();
    try {
      const why = { id: actionId, reason };
      await command((write) => applyTo(ctx, write, id, action, why, begunAt), now);
      result.done.push(id);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'NOT_SIGNED_IN') throw error;
      result.refused.push({ id, code: error.code, message: error.message });
    }
  }
  return result;
}

async function applyTo(
  ctx: BaseContext,
  write: Write<
    | 'participant.messaged'
    | 'participant.extended'
    | 'participant.ended'
    | 'participant.paused'
    | 'participant.resumed'
  >,
  id: string,
  action: Body['action'],
  why: { id: string; reason: string },
  begunAt: number,
): Promise<void> {
  switch (action.kind) {
    case 'message':
      return sendMessageOnce(ctx, write, id, action, why);
    case 'extend':
      return extendParticipant(ctx, write, id, action.minutes, why);
    case 'end':
      return endParticipant(ctx, write, id, { ...why, message: action.message });
    case 'pause': {
      // All go on at the same moment.
      const { minutes } = action;
      const ms = minutes === undefined ? PAUSE_LIMITS.longestMs : minutes * 60_000;
      const until = new Date((minutes === undefined ? write.now.getTime() : begunAt) + ms);
      return pauseParticipant(ctx, write, id, until, why);
    }
    case 'resume':
      return resumeParticipant(ctx, write, id, why);
  }
}

/**
 * Streams the camera pictures of one person, at most one a second. The candidate's page is asked
 * for them only while this stream is open. Audited before the first picture.
 *
 * Throws NOT_FOUND, NOT_RUNNING, SENSOR_OFF.
 */
async function watchParticipant(
  ctx: AttemptContext & LiveContext,
  { session, reach, command, params: { id: participantId } }: CallOf<'watchParticipant'>,
): Promise<Readable> {
  const attempt = await requireAttempt(ctx.db, participantId);
  if (attempt.status !== 'in_progress') throw new AppError('NOT_RUNNING');
  if (!policyFor(attempt).camera) throw new AppError('SENSOR_OFF');
  await command(({ record }) => record('participant.watched', ['participant', participantId]));
  let shown: Thumbnail | undefined;
  const show = () => {
    const newest = ctx.thumbnails.newest(participantId);
    const at = newest?.at.toISOString() ?? null;
    // A slow reader misses pictures; there is always a newer one.
    if (shown?.at === at || !stream || stream.unreadBytes > 0) return;
    shown = { at, jpeg: newest?.jpeg.toString('base64') ?? null };
    stream.send('thumbnail', shown);
  };
  const isWatchable = async () => {
    const [place] = await listPlaces(ctx.db, 'participant', [participantId]);
    const found = await findParticipant(ctx.db, participantId);
    return found?.status === 'in_progress' && place !== undefined && isWithin(reach, place);
  };
  const checkStatus = () => {
    isWatchable()
      .then((isStill) => isStill || stream?.end())
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
