import type { MailProblems } from '@invigil/core/contract/invitations/outbox';
import type { Queryable } from '../../../db/database.ts';
import { countWaiting } from '../../../db/queries/outbox.ts';
import { findSmtpSettings } from '../../../db/queries/smtp-settings.ts';
import { adviceFor, faultKindOf } from '../../../mail/account-fault.ts';

/** Why the whole queue waits, if it does and there is something in it. */
export async function readPause(db: Queryable): Promise<MailProblems['paused']> {
  const settings = await findSmtpSettings(db);
  if (!settings?.isActive || settings.pausedAt === null || settings.fault === null)
    return undefined;
  const waiting = await countWaiting(db);
  if (waiting === 0) return undefined;
  return {
    since: settings.pausedAt.toISOString(),
    nextTryAt: (settings.nextSendAt ?? settings.pausedAt).toISOString(),
    waiting,
    reason: settings.faultText ?? '',
    advice: adviceFor(faultKindOf(settings.fault)),
  };
}
