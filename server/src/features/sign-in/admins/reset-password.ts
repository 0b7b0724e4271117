import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import type { BaseContext } from '../../../app-context.ts';
import { inTransaction } from '../../../db/database.ts';
import { findPasswordReset, putPasswordReset } from '../../../db/queries/admins.ts';
import { findAdminByEmail } from '../../../db/queries/codes.ts';
import { findSmtpSettings } from '../../../db/queries/smtp-settings.ts';
import { lockAdmin } from '../../../db/queries/two-step.ts';
import { queueNotices } from '../../../mail/queue-notices.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { hashPassword } from '../../../security/secrets/passwords.ts';
import { hashSessionToken, newSessionToken } from '../../../security/secrets/tokens.ts';
import { networkBudgetKey, resetBudgetKey } from '../../../security/throttle-key.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';
import { requireTries } from '../passwords/throttle.ts';
import { requireGoodPassword } from './change-admins.ts';
import { replacePassword } from './change-own-password.ts';

const MINUTE_MS = 60_000;

/** Whether a reset link can be sent. */
export async function canResetByMail({ db }: Pick<BaseContext, 'db'>): Promise<boolean> {
  return (await findSmtpSettings(db))?.isActive === true;
}

/**
 * Accepts a request for a reset link. The work before the response is the same for every address; whether
 * an administrator exists is looked up afterwards, so neither content nor timing reveals it.
 *
 * Throws THROTTLED, SMTP_NOT_CONFIGURED.
 *
 * @returns the work to do after the response; it never throws
 */
export async function requestReset(
  ctx: BaseContext,
  email: string,
  address: string,
  now: Date,
): Promise<() => Promise<void>> {
  if (!(await canResetByMail(ctx))) throw new AppError('SMTP_NOT_CONFIGURED');
  const { throttle } = ctx.keys;
  const { resetsPerAccount, guessesPerNetwork } = SESSION_LIMITS;
  const budgets = [
    { key: networkBudgetKey(throttle, address), ...guessesPerNetwork },
    { key: resetBudgetKey(throttle, email), ...resetsPerAccount },
  ];
  await requireTries(ctx.db, null, budgets, now);
  return () =>
    sendLink(ctx, email, now).catch((error: unknown) => {
      ctx.log.error({ err: error }, 'a reset link could not be sent');
    });
}

async function sendLink(ctx: BaseContext, email: string, now: Date): Promise<void> {
  const admin = (await findAdminByEmail(ctx.db, email))?.admin;
  if (!admin) return;
  const token = newSessionToken();
  await inTransaction(ctx.db, async (tx, afterCommit) => {
    if (!(await lockAdmin(tx, admin.id))) return;
    await putPasswordReset(tx, {
      adminId: admin.id,
      tokenHash: hashToken(ctx, token),
      expiresAt: new Date(now.getTime() + SESSION_LIMITS.resetLinkMs),
    });
    await recordAudit(tx, {
      adminId: null,
      action: 'admin.reset_requested',
      subject: { type: 'admin', id: admin.id },
      at: now,
    });
    const minutes = SESSION_LIMITS.resetLinkMs / MINUTE_MS;
    const notice = {
      subject: 'Set a new password',
      paragraphs: [
        `Someone requested a new password for your administrator account at ${ctx.config.publicUrl}. If this was not you, ignore this email. Your password does not change.`,
        `To set a new password, open this link within ${minutes} minutes. It works once.`,
      ],
    };
    // Behind a #, so that no server or proxy logs it.
    const link = `${ctx.config.publicUrl}/reset-password#${token}`;
    await queueNotices(tx, ctx, [admin.email], notice, now, link);
    afterCommit(() => ctx.wakeMail());
  });
}

/**
 * Sets a new password with the token of a link. All sessions end; sign-in still requires the second step.
 * The account's owner is notified by email.
 *
 * Throws RESET_LINK_EXPIRED, LOOKS_LIKE_CODE, GUESSABLE_PASSWORD, UNAVAILABLE.
 */
export async function setResetPassword(
  ctx: BaseContext,
  token: string,
  password: string,
  now: Date,
): Promise<{ email: string }> {
  const tokenHash = hashToken(ctx, token);
  const admin = await findPasswordReset(ctx.db, tokenHash, now);
  if (!admin) throw new AppError('RESET_LINK_EXPIRED');
  await requireGoodPassword(ctx, admin.email, password, 'newPassword');
  const passwordHash = await hashPassword(password);
  await inTransaction(ctx.db, async (tx, afterCommit) => {
    // Checked again under the lock: of two concurrent uses, one succeeds.
    await lockAdmin(tx, admin.id);
    if (!(await findPasswordReset(tx, tokenHash, now))) throw new AppError('RESET_LINK_EXPIRED');
    await replacePassword(tx, ctx, admin.id, passwordHash, null, now);
    await recordAudit(tx, {
      adminId: null,
      action: 'admin.password_reset',
      subject: { type: 'admin', id: admin.id },
      details: { by: 'mail' },
      at: now,
    });
    const notice = {
      subject: 'Your password was changed',
      paragraphs: [
        `The password of your administrator account at ${ctx.config.publicUrl} was changed with a link from an email. You have been signed out everywhere.`,
        'If this was not you, tell the other administrators and the operator immediately.',
      ],
    };
    await queueNotices(tx, ctx, [admin.email], notice, now);
    afterCommit(() => ctx.wakeMail());
  });
  return { email: admin.email };
}

const hashToken = ({ keys }: Pick<BaseContext, 'keys'>, token: string) =>
  hashSessionToken(keys.sessions, `reset/${token}`);
