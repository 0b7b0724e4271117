import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/database.ts';
import { leaveParticipantSession } from '../../db/queries/attempts/changes.ts';
import { lockInvitation } from '../../db/queries/codes.ts';
import { endSession } from '../../db/queries/session-changes.ts';
import type { Session } from '../../db/queries/sessions.ts';

/** Ends a session at once in every process; its attempt accepts no more saves from it. */
export async function signOut(
  ctx: Pick<AppContext, 'db'>,
  session: Session,
  now: Date,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    if (session.kind === 'participant') {
      // A concurrent start either comes first, and keeps its attempt, or later, and is refused.
      await lockInvitation(tx, session.invitationId);
      await leaveParticipantSession(tx, session.id);
    }
    await endSession(tx, session.id, now);
  });
}
