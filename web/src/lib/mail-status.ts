import { isCanceledMail } from '@invigil/core/domain/canceled-mail';
import type { MailState } from '@invigil/core/domain/invitation-states';

/** The displayed state of a message. */
export type MailStatus = MailState | 'delayed' | 'canceled';

/** Delayed: a try failed and another follows. Canceled: its one-time password no longer works. */
export function mailStatus(mail: {
  state: MailState;
  attempts: number;
  lastError: string | null;
}): MailStatus {
  if (mail.state === 'queued' && mail.attempts > 0) return 'delayed';
  return isCanceledMail(mail.state, mail.lastError) ? 'canceled' : mail.state;
}
