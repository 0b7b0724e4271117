import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/database.ts';
import { leaveParticipantSession } from '../participants/queries.ts';
import { endSession, type Session } from './session-queries.ts';

/** Ends a session at once, everywhere: an attempt that it held no longer takes its saves. */
export async function signOut(ctx: AppContext, session: Session, now: Date): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await endSession(tx, session.id, now);
    if (session.kind === 'participant') await leaveParticipantSession(tx, session.id);
  });
}
