import type { OutboxMessage } from '@invigil/core/contract/invitations/outbox';
import { isCanceledMail } from '@invigil/core/domain/canceled-mail';
import { formatDateTime } from '../../../lib/dates.ts';
import { mailReason } from '../../../lib/mail-delivery.ts';
import { mailStatus } from '../../../lib/mail-status.ts';
import { MailBadge } from '../../../ui/badges/mail-badge.tsx';
import { Button } from '../../../ui/button.tsx';

/** Delivery tries; "attempts" are those of candidates. */
function triedWords(attempts: number): string {
  if (attempts === 0) return 'Not tried yet';
  return attempts === 1 ? 'Tried once' : `Tried ${attempts} times`;
}

/** One message: recipient, subject, state, and why it is not delivered. */
export function OutboxRow({
  message,
  onRead,
  onSend,
}: {
  message: OutboxMessage;
  /** Whether this message can be read. */
  onRead: (() => void) | undefined;
  /** Whether a mail server is configured. */
  onSend: (() => void) | undefined;
}) {
  const { recipient, subject, state, attempts, lastError, createdAt, sentAt } = message;
  const reason = mailReason(message);
  const isBad = state === 'failed' && !isCanceledMail(state, lastError);
  const waits = message.nextAttemptAt !== null && attempts > 0;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 border-b border-line px-5 py-3 last:border-b-0 sm:grid-cols-[minmax(0,1fr)_auto_6.5rem_8rem]">
      <div className="col-start-1 row-start-1 min-w-0">
        <div className="font-medium break-all">{recipient}</div>
        <div className="text-sm break-words text-ink-2">{subject}</div>
        {reason !== null && (
          <div className={`mt-0.5 text-sm break-words ${isBad ? 'text-bad-ink' : 'text-ink-2'}`}>
            {reason}
          </div>
        )}
      </div>
      <div className="col-start-1 row-start-2 text-xs text-ink-3 tabular-nums sm:col-start-2 sm:row-start-1 sm:text-right">
        <div>{triedWords(attempts)}</div>
        <time dateTime={sentAt ?? createdAt}>{formatDateTime(sentAt ?? createdAt)}</time>
      </div>
      <div className="col-start-2 row-start-1 flex justify-end self-start sm:col-start-3 sm:self-center">
        <MailBadge status={mailStatus(message)} />
      </div>
      <div className="col-start-2 row-start-2 grid justify-items-end gap-1.5 sm:col-start-4 sm:row-start-1">
        {onRead !== undefined && (
          <Button size="dense" onClick={onRead} aria-label={`Open message to ${recipient}`}>
            Open message
          </Button>
        )}
        {onSend !== undefined && waits && (
          <Button size="dense" onClick={onSend} aria-label={`Send now to ${recipient}`}>
            Send now
          </Button>
        )}
      </div>
    </li>
  );
}
