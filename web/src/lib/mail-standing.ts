import { isCancelledMail } from '@invigil/core/domain/cancelled-mail';
import type { MailState } from '@invigil/core/domain/invitation-states';

/** The displayed state of a message. */
export type MailStanding = MailState | 'delayed' | 'cancelled';

/** Delayed: a try failed and another follows. Canceled: its one-time password no longer works. */
export function mailStanding(mail: {
  state: MailState;
  attempts: number;
  lastError: string | null;
}): MailStanding {
  if (mail.state === 'queued' && mail.attempts > 0) return 'delayed';
  return isCancelledMail(mail.state, mail.lastError) ? 'cancelled' : mail.state;
}
