import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import type { BaseContext } from '../../app-context.ts';
import { lockQuiz } from '../../db/queries/quizzes.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import { networkBudgetKey, resetBudgetKey } from '../../security/throttle-key.ts';
import { commandOf, SYSTEM } from '../../sessions/command.ts';
import { canResetByMail, sendLink } from '../sign-in/admins/admins.ts';
import { requireTries } from '../sign-in/check-password.ts';
import { canBegin, isFinished, lockPeople } from './invite/manage-invitations.ts';
import { listInvitedAt } from './invite/queries.ts';
import { sendCodes } from './invite/send-codes.ts';

export function forgottenPasswordHandlers(ctx: BaseContext) {
  return {
    /**
     * The work before the response is the same for every address; whose it is, is looked up afterwards, so neither
     * content nor timing reveals it.
     */
    async requestPasswordReset({ body: { email }, request, now }) {
      if (!(await canResetByMail(ctx))) throw new AppError('SMTP_NOT_CONFIGURED');
      const { throttle } = ctx.keys;
      const { resetsPerAccount, guessesPerNetwork } = SESSION_LIMITS;
      const budgets = [
        { key: networkBudgetKey(throttle, request.ip), ...guessesPerNetwork },
        { key: resetBudgetKey(throttle, email), ...resetsPerAccount },
      ];
      await requireTries(ctx.db, null, budgets, now);
      setImmediate(() => {
        const work = [sendLink(ctx, email, now), sendOneTimePasswords(ctx, email, now)];
        for (const one of work) {
          one.catch((error: unknown) => {
            ctx.log.error({ err: error }, 'a forgotten password could not be sent');
          });
        }
      });
    },
  } satisfies Handlers;
}

/**
 * Sends the candidate with this address, if there is one, another one-time password for each assessment that they
 * can start or go on with, in the invitation. Earlier ones keep working: whoever asks cannot lock them out.
 */
async function sendOneTimePasswords(ctx: BaseContext, email: string, now: Date): Promise<void> {
  await commandOf(ctx.db, { actor: SYSTEM, now })(async ({ tx, record, afterCommit }) => {
    for (const { quizId, ids } of await listInvitedAt(tx, email)) {
      const quiz = await lockQuiz(tx, quizId, 'share');
      if (!quiz) continue;
      const { people } = await lockPeople(tx, quiz, ids);
      const recipients = people.flatMap(({ invitation, email: to, attempt }) => {
        const isRunning = attempt.status === 'in_progress';
        const canStart =
          !isRunning && !isFinished(attempt) && canBegin(quiz, { invitation, attempt }, now);
        return to !== null && invitation.revokedAt === null && (isRunning || canStart)
          ? [{ email: to, invitation, attempt: attempt.mayRetake ? {} : attempt }]
          : [];
      });
      if (recipients.length === 0) continue;
      await sendCodes(tx, ctx, quiz, recipients, { wording: {}, keepEarlierCodes: true }, now);
      await record('invitations.resent', ['quiz', quizId], { queued: recipients.length });
    }
    afterCommit(() => ctx.wakeMail());
  });
}
