import { Mail } from 'lucide-react';
import { useId } from 'react';
import { Link } from 'react-router';
import { Notice } from '../../../ui/notice.tsx';
import type { MailServerState } from '../../assessments/api.ts';

export interface DeliveryCounts {
  queued: number;
  sent: number;
  uncertain: number;
  failed: number;
}

const PARTS = [
  ['sent', 'sent'],
  ['queued', 'waiting'],
  ['uncertain', 'uncertain'],
  ['failed', 'failed'],
] as const;

const figure = (n: number) => n.toLocaleString('en-GB');

/** Delivery progress of the emails, or a note if there is no mail server. */
export function DeliveryProgress({
  counts,
  mailServer,
}: {
  counts: DeliveryCounts;
  mailServer: MailServerState;
}) {
  const id = useId();
  const waiting = counts.queued + counts.uncertain;
  const total = counts.sent + counts.failed + waiting;
  if (total === 0) return null;
  if (mailServer === 'missing' || mailServer === 'off') {
    return waiting === 0 ? null : <NoMailServer waiting={waiting} mailServer={mailServer} />;
  }
  const parts = PARTS.filter(([state]) => counts[state] > 0);
  return (
    <div className="grid gap-2">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span id={id} className="font-medium">
          {waiting === 0 ? 'Emails sent' : 'Sending emails'}
        </span>
        <span role="status" className="text-ink-2 tabular-nums">
          {`${parts.map(([state, word]) => `${figure(counts[state])} ${word}`).join(', ')} of ${figure(total)}`}
        </span>
      </p>
      <progress
        aria-labelledby={id}
        value={counts.sent + counts.failed}
        max={total}
        className="block h-2 w-full appearance-none overflow-hidden rounded-sm bg-fill [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-fill [&::-webkit-progress-value]:bg-accent"
      />
    </div>
  );
}

/** The same note, before sending. */
export function MailWillWait({ mailServer }: { mailServer: MailServerState }) {
  if (mailServer !== 'missing' && mailServer !== 'off') return null;
  return (
    <Notice tone="warn" icon={<Mail />}>
      {mailServer === 'missing'
        ? 'No mail server is configured yet. Invitations wait in the outbox, where you can read and copy them.'
        : 'The mail server is switched off. Invitations wait in the outbox until it is switched on.'}
    </Notice>
  );
}

function NoMailServer({ waiting, mailServer }: { waiting: number; mailServer: 'missing' | 'off' }) {
  return (
    <Notice tone="warn" icon={<Mail />}>
      {mailServer === 'missing'
        ? 'No mail server is configured yet. '
        : 'The mail server is switched off. '}
      {waiting === 1 ? '1 email waits' : `${figure(waiting)} emails wait`} in the{' '}
      <Link to="/admin/settings/outbox" className="font-medium underline underline-offset-4">
        outbox
      </Link>
      {mailServer === 'missing' ? ', where you can read and copy them.' : '.'}
    </Notice>
  );
}
