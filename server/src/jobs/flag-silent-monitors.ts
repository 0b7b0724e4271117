import type { FlagType } from '@invigil/core/domain/violations/violation-types';
import type { FileContext } from '../app-context.ts';
import { inTransaction } from '../db/database.ts';
import { findParticipant, type ParticipantView } from '../db/queries/attempts/attempts.ts';
import { lockParticipant } from '../db/queries/attempts/locks.ts';
import { raiseFlag } from '../features/attempts/store-violation.ts';
import { listSilent, listUnchecked, listWithoutStills, recordSilence } from './monitor-queries.ts';

type Ctx = Pick<FileContext, 'db' | 'disk'>;

/**
 * Flags attempts that save answers while the page's monitor sends nothing: it was disabled, or the
 * page is broken. One flag for each silence, for a person to review, and never a dismissal (product
 * 6). The same for a monitor that reports but checks no picture, and for one whose stills do not
 * arrive.
 */
export async function flagSilentMonitors(ctx: Ctx, now: Date): Promise<void> {
  await recordSilence(ctx.db, now);
  for (const id of await listSilent(ctx.db, now)) {
    await flag(ctx, id, now, ({ silentSince: at }) => at && { type: 'monitor_silent', at });
  }
  for (const id of await listUnchecked(ctx.db)) {
    await flag(ctx, id, now, ({ checksStalledSince: at }) => at && { type: 'camera_unjudged', at });
  }
  // On a full disk stills are refused, so missing ones are not suspicious.
  if (ctx.disk.isNearlyFull) return;
  for (const id of await listWithoutStills(ctx.db, now)) {
    await flag(ctx, id, now, () => ({ type: 'stills_missing', at: now }));
  }
}

/** @param flagOf evaluated under the lock: the monitor may be back since the attempt was listed */
function flag(
  ctx: Ctx,
  participantId: string,
  now: Date,
  flagOf: (attempt: ParticipantView) => { type: FlagType; at: Date } | null,
): Promise<void> {
  return inTransaction(ctx.db, async (tx) => {
    await lockParticipant(tx, participantId);
    const attempt = await findParticipant(tx, participantId);
    if (attempt?.status !== 'in_progress') return;
    const raised = flagOf(attempt);
    if (raised !== null) await raiseFlag(tx, attempt, raised, now);
  });
}
