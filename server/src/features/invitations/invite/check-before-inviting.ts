import type { InviteChecks } from '@invigil/core/contract/invitations/invitations';
import { momentText, NO_END } from '@invigil/core/texts/moments';
import type { BaseContext } from '../../../app-context.ts';
import { wasMailDelivered } from '../../../db/queries/outbox.ts';
import { countDrafts } from '../../../db/queries/question-pool.ts';
import { findSmtpSettings } from '../../../db/queries/smtp-settings.ts';
import { requireUnarchived } from '../../../sessions/guards.ts';
import { readInstitution } from '../../../trust/institution.ts';

/**
 * The facts that an author should know before the first invitation, as far as only the server has them.
 * Throws NOT_FOUND.
 */
export async function checkBeforeInviting(ctx: BaseContext, quizId: string): Promise<InviteChecks> {
  const { db } = ctx;
  const quiz = await requireUnarchived(db, quizId);
  const { publicUrl, timeZone } = await readInstitution(ctx, db);
  const settings = await findSmtpSettings(db);
  const moment = (at: Date | null) => (at === null ? null : momentText(at.toISOString(), timeZone));
  return {
    signInUrl: `${publicUrl}/login`,
    drafts: await countDrafts(db, quiz),
    // A message that was delivered tests it as well.
    isMailTested:
      settings !== undefined &&
      (settings.testedAt !== null || (await wasMailDelivered(db, settings.updatedAt))),
    opensAt: moment(quiz.opensAt),
    completeBy: moment(quiz.endDate) ?? NO_END,
  };
}
