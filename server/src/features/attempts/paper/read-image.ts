import type { AppContext } from '../../../app-context.ts';
import { findCurrentParticipant } from '../../../db/queries/attempts/attempts.ts';
import type { Session } from '../../../db/queries/sessions.ts';
import { AppError } from '../../../runtime/app-error.ts';
import type { Paper } from './paper-cache.ts';

/**
 * An image of a question: any for an administrator; for a candidate only one that their own paper shows,
 * while the attempt is in progress. For all others there is no such image. Throws NOT_FOUND, StorageAway.
 *
 * @returns its bytes, and until when this person may see it
 */
export async function readImageFor(
  ctx: Pick<AppContext, 'db' | 'images' | 'papers'>,
  session: Session,
  hash: string,
  now: Date,
): Promise<{ bytes: Buffer; until: Date }> {
  let until = session.expiresAt;
  if (session.kind === 'participant') {
    const attempt = await findCurrentParticipant(ctx.db, session.userId, session.quizId);
    const isRunning = attempt?.status === 'in_progress' && now <= attempt.closeAt;
    if (!isRunning || !shows(await ctx.papers.get(attempt.id), hash)) {
      throw new AppError('NOT_FOUND');
    }
    until = attempt.closeAt;
  }
  const bytes = await ctx.images.get(hash);
  if (bytes === undefined) throw new AppError('NOT_FOUND');
  return { bytes, until };
}

/** Without parsing: only an image's place in a text has this form. */
function shows({ entries }: Paper, hash: string): boolean {
  const reference = `image:${hash}`;
  return entries.some(
    ({ content }) =>
      content.details?.format === 'markdown' &&
      (content.question.includes(reference) ||
        [...content.textOf.values()].some((text) => text.includes(reference))),
  );
}
