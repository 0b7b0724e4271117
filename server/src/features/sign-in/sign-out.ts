import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/database.ts';
import { leaveParticipantSession } from '../../db/queries/attempts/changes.ts';
import { lockInvitation } from '../../db/queries/codes.ts';
import { endSession } from '../../db/queries/session-changes.ts';
import type { Session } from '../../db/queries/sessions.ts';

/** Ends a session at once, everywhere: an attempt that it held no longer takes its saves. */
export async function signOut(
  ctx: Pick<AppContext, 'db'>,
  session: Session,
  now: Date,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    if (session.kind === 'participant') {
      // A start at the same moment comes wholly before, and is left, or after, and is refused.
      await lockInvitation(tx, session.invitationId);
      await leaveParticipantSession(tx, session.id);
    }
    await endSession(tx, session.id, now);
  });
}
