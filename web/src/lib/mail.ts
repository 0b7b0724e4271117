import type { MailState } from '@invigil/core/domain/invitation-states';
import { t } from '@invigil/core/texts/i18n';
import { formatDateTime } from './format.ts';

/** Refetch interval of a list while its mail is being sent. Milliseconds. */
export const DELIVERY_REFRESH_MS = 2_000;

/** Whether a message's state will still change (`uncertain` is retried). */
export function isOnItsWay(state: MailState | undefined): boolean {
  return state === 'queued' || state === 'sending' || state === 'uncertain';
}

/** Why a message has not arrived, and what happens next; `null` if there is no problem. */
export function mailReason(mail: {
  state: MailState;
  lastError: string | null;
  nextAttemptAt: string | null;
}): string | null {
  if (mail.lastError === null) return null;
  const reason = /[.!?]$/.test(mail.lastError) ? mail.lastError : `${mail.lastError}.`;
  if (!isOnItsWay(mail.state)) return reason;
  const next =
    mail.nextAttemptAt === null
      ? t(/* it: an email */ 'portal.mail.trying', 'It is being tried again.')
      : t(/* to send an email */ 'portal.mail.nextTry', 'Next try: {time}.', {
          time: formatDateTime(mail.nextAttemptAt),
        });
  const doubt =
    mail.state === 'uncertain'
      ? ` ${t('portal.mail.mayHaveArrived', 'The email may have arrived.')}`
      : '';
  return `${reason}${doubt} ${next}`;
}

type MailStatus = MailState | 'delayed' | 'canceled';

/** Delayed: a try failed and another follows. Canceled: its one-time password no longer works. */
export function mailStatus(mail: {
  state: MailState;
  attempts: number;
  isCanceled?: true | undefined;
}): MailStatus {
  if (mail.state === 'queued' && mail.attempts > 0) return 'delayed';
  return mail.isCanceled ? 'canceled' : mail.state;
}
