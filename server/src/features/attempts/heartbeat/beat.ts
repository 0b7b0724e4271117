import type { AppContext } from '../../../app-context.ts';
import { inTransaction } from '../../../db/database.ts';
import { findCurrentParticipant, findParticipant } from '../../../db/queries/attempts/attempts.ts';
import { lockParticipant } from '../../../db/queries/attempts/locks.ts';
import { findSessionEnd, type ParticipantSession } from '../../../db/queries/sessions.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { type Device, deviceOf, type RequestOrigin } from '../../../security/request-device.ts';
import { requireLive } from '../../../sessions/require-live.ts';
import { presentNews } from '../present.ts';
import { noteDevice } from '../violations/device.ts';

/**
 * Notes that the candidate is there and answers with the time left; an ended attempt tells its end.
 * Throws NOT_FOUND, SESSION_REPLACED, NOT_SIGNED_IN.
 */
export async function beat(
  ctx: AppContext,
  session: ParticipantSession,
  participantId: string,
  { monitor, from }: Said,
  now: Date,
) {
  const sessionId = session.id;
  const device = deviceOf(from);
  const found = await ctx.heartbeats.beat({
    participantId,
    sessionId,
    isMonitored: monitor !== undefined,
    ...checksOf(monitor ?? {}),
    device,
    now,
  });
  if (!found) throw await whyNotHeld(ctx, session, participantId, now);
  if (found.isOtherDevice && found.status === 'in_progress') {
    await noteOtherDevice(ctx, sessionId, participantId, device, now);
  }
  // An ended attempt keeps the session that held it last, also when that has been signed out since.
  if (found.status !== 'in_progress') await requireLive(ctx.db, session.id, now);
  return presentNews({ ...found, watched: ctx.thumbnails.isWatched(participantId) }, now);
}

/** What a heartbeat brings. */
interface Said {
  monitor: Record<string, unknown> | undefined;
  from: RequestOrigin;
}

/**
 * How many pictures the monitor says that it has checked; `null` where it cannot tell about them, and
 * nothing where it does not say.
 */
function checksOf({ face, checks }: Record<string, unknown>): { checks?: number | null } {
  if (face === 'cannot-tell' || face === 'starting') return { checks: null };
  const isCount = typeof checks === 'number' && Number.isInteger(checks) && checks >= 0;
  return isCount ? { checks: checks % MOST_CHECKS } : {};
}

/** What a column holds; it only matters whether the number has changed. */
const MOST_CHECKS = 2 ** 31;

/** Each takes a connection of the pool, for which saves wait as well. */
const NOTED_AT_ONCE = 2;
let beingNoted = 0;

/**
 * When a network's address changes, everyone behind it changes their device at once. A change that finds
 * no place here is noted with a later heartbeat, which sees the same difference.
 */
async function noteOtherDevice(
  ctx: AppContext,
  sessionId: string,
  participantId: string,
  device: Device,
  now: Date,
): Promise<void> {
  if (beingNoted >= NOTED_AT_ONCE) return;
  beingNoted += 1;
  try {
    await inTransaction(ctx.db, async (tx) => {
      await lockParticipant(tx, participantId);
      const attempt = await findParticipant(tx, participantId);
      if (attempt?.status !== 'in_progress' || attempt.sessionId !== sessionId) return;
      await noteDevice(tx, attempt, device, now);
    });
  } finally {
    beingNoted -= 1;
  }
}

async function whyNotHeld(
  ctx: AppContext,
  session: ParticipantSession,
  participantId: string,
  now: Date,
): Promise<AppError> {
  const own = await findCurrentParticipant(ctx.db, session.userId, session.quizId);
  if (own?.id !== participantId) return new AppError('NOT_FOUND');
  const end = await findSessionEnd(ctx.db, session.id, now);
  return new AppError(end === 'signed_out' ? 'NOT_SIGNED_IN' : 'SESSION_REPLACED');
}
