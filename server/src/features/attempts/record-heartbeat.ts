import type { AttemptContext, BaseContext, LiveContext } from '../../app-context.ts';
import { findCurrentParticipant, findParticipant } from '../../db/queries/attempts/attempts.ts';
import { addReviewFlag } from '../../db/queries/attempts/changes.ts';
import { insertRepeatedEvent } from '../../db/queries/attempts/events.ts';
import { findRunningOf, lockParticipant } from '../../db/queries/attempts/locks.ts';
import { findSessionEnd, type ParticipantSession } from '../../db/queries/sessions.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import { type Device, deviceOf, type RequestOrigin } from '../../security/request-device.ts';
import { requireLive } from '../../sessions/guards.ts';
import { recordDevice } from './device.ts';
import { presentNews } from './present.ts';

/**
 * Records the candidate's presence and returns the time left; for an ended attempt, its end. Throws
 * NOT_FOUND, SESSION_REPLACED, NOT_SIGNED_IN.
 */
async function recordHeartbeat(
  ctx: AttemptContext & LiveContext,
  session: ParticipantSession,
  participantId: string,
  { monitor, focused, from }: HeartbeatReport,
  now: Date,
) {
  const sessionId = session.id;
  const device = deviceOf(from);
  const found = await ctx.heartbeats.record({
    participantId,
    sessionId,
    isMonitored: monitor !== undefined,
    checks: checksOf(monitor ?? {}),
    focused,
    device,
    now,
  });
  if (!found) throw await whyNotHeld(ctx, session, participantId, now);
  if (found.isOtherDevice && found.status === 'in_progress') {
    await recordOtherDevice(ctx, sessionId, participantId, device, now);
  }
  // An ended attempt keeps the session that held it last, even one that has been signed out since.
  if (found.status !== 'in_progress') await requireLive(ctx.db, session.id, now);
  return presentNews({ ...found, watched: ctx.thumbnails.isWatched(participantId) }, now);
}

interface HeartbeatReport {
  monitor: Record<string, unknown> | undefined;
  focused: readonly number[] | undefined;
  from: RequestOrigin;
}

/**
 * How many pictures the monitor has checked; `null` when it cannot classify them, and for any report that
 * does not say: only a number that grows shows that someone is looking.
 */
function checksOf({ face, checks }: Record<string, unknown>): number | null {
  if (face === 'cannot-tell' || face === 'starting') return null;
  const isCount = typeof checks === 'number' && Number.isInteger(checks) && checks >= 0;
  return isCount && checks < MOST_CHECKS ? checks : null;
}

/** The column's limit. A second each, it is 68 years. */
const MOST_CHECKS = 2 ** 31;

/** Each takes a pool connection that saves also wait for. */
const MOST_CONCURRENT = 2;
let underWay = 0;

/**
 * When a network's address changes, everyone behind it changes their device at once. A change over the
 * limit is recorded with a later heartbeat, which sees the same difference.
 */
async function recordOtherDevice(
  ctx: BaseContext,
  sessionId: string,
  participantId: string,
  device: Device,
  now: Date,
): Promise<void> {
  if (underWay >= MOST_CONCURRENT) return;
  underWay += 1;
  try {
    await inTransaction(ctx.db, async (tx) => {
      await lockParticipant(tx, participantId);
      const attempt = await findParticipant(tx, participantId);
      if (attempt?.status !== 'in_progress' || attempt.sessionId !== sessionId) return;
      await recordDevice(tx, attempt, device, now);
    });
  } finally {
    underWay -= 1;
  }
}

async function whyNotHeld(
  ctx: BaseContext,
  session: ParticipantSession,
  participantId: string,
  now: Date,
): Promise<AppError> {
  const own = await findCurrentParticipant(ctx.db, session.userId, session.quizId);
  if (own?.id !== participantId) return new AppError('NOT_FOUND');
  const end = await findSessionEnd(ctx.db, session.id, now);
  return new AppError(end === 'signed_out' ? 'NOT_SIGNED_IN' : 'SESSION_REPLACED');
}

export function heartbeatHandlers(ctx: AttemptContext & LiveContext) {
  return {
    async heartbeat({ params, body, session, request, now }) {
      const { monitor, focused } = body;
      const report = { monitor, focused, from: request };
      return await recordHeartbeat(ctx, session, params.id, report, now);
    },
  } satisfies Handlers;
}

/**
 * Records that a candidate's sessions sent far more requests than a page does: an outage then gives the
 * attempt no extra time, and a reviewer sees it flagged. Never throws, as it is not awaited.
 */
export async function recordFlood(
  ctx: Pick<BaseContext, 'db' | 'clock' | 'log'>,
  invitationId: string,
): Promise<void> {
  ctx.log.warn({ invitation: invitationId }, 'requests refused: a candidate sends too many');
  try {
    await inTransaction(ctx.db, async (tx) => {
      const id = await findRunningOf(tx, invitationId);
      if (id === undefined) return;
      const event = { participantId: id, kind: 'flooded', at: ctx.clock.now() } as const;
      const before = await insertRepeatedEvent(tx, 'floods', event);
      if (before === 0) await addReviewFlag(tx, id);
    });
  } catch (err) {
    ctx.log.warn({ err, invitation: invitationId }, 'a flood of requests could not be recorded');
  }
}
