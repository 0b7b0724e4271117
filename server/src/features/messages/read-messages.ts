import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import type { Session } from '../auth/session-queries.ts';
import { isOwn } from '../participants/is-own.ts';
import { findParticipant } from '../participants/queries.ts';
import { listMessages, type MessageRow } from './queries.ts';

/** What was said to the candidate of an attempt, for them and for administrators. Throws NOT_FOUND. */
export async function readMessages(
  ctx: AppContext,
  session: Session,
  participantId: string,
): Promise<MessageRow[]> {
  const attempt = await findParticipant(ctx.db, participantId);
  const mayRead = session.kind === 'admin' ? attempt !== undefined : isOwn(session, attempt);
  if (!mayRead) throw new AppError('NOT_FOUND');
  return listMessages(ctx.db, participantId);
}
