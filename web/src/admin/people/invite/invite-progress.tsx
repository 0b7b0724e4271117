import { numberText } from '@invigil/core/domain/locale';
import { Mail, TriangleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { Notice } from '../../../ui/notice.tsx';
import type { MailServerState } from '../../data/assessments.ts';
import type { BatchProgress } from './use-in-batches.ts';

const BAR =
  'block h-2 w-full appearance-none overflow-hidden rounded-sm bg-fill [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-fill [&::-webkit-progress-value]:bg-accent';

export function InviteProgress({
  done,
  total,
  children,
}: Pick<BatchProgress, 'done' | 'total'> & { children: ReactNode }) {
  const id = useId();
  const words = `${numberText(done)} of ${numberText(total)}`;
  return (
    <div className="grid gap-2 py-2">
      <p className="flex justify-between gap-4 font-medium">
        <span id={id}>Queuing invitations</span>
        <span role="status" className="tabular-nums">
          {words}
        </span>
      </p>
      <progress aria-labelledby={id} value={done} max={total} className={BAR} />
      <p className="text-sm text-ink-3">{children}</p>
    </div>
  );
}

const figure = (n: number) => numberText(n);

/** `1 address`, `1,300 addresses` */
export const many = (n: number) => `${figure(n)} ${n === 1 ? 'address' : 'addresses'}`;

/**
 * Addresses left in the box after a send. Without a response the invitations may have been sent, and
 * resending invalidates the first one-time passwords.
 */
export function InviteLeftovers({
  done,
  unanswered,
  unsent,
}: {
  done: number;
  unanswered: number;
  unsent: number;
}) {
  if (unanswered + unsent === 0) return null;
  const parts = [
    ...(done > 0 ? [`${many(done)} done`] : []),
    ...(unanswered > 0
      ? [`no response for ${done > 0 ? figure(unanswered) : many(unanswered)}`]
      : []),
    ...(unsent > 0 ? [`${figure(unsent)} not sent`] : []),
  ].join(', ');
  return (
    <Notice tone="warn" icon={<TriangleAlert />}>
      <p>{`${parts.charAt(0).toUpperCase()}${parts.slice(1)}. The remaining addresses are still in the box.`}</p>
      {unanswered > 0 && (
        <p>
          Without a response, invitations may still have been sent. Check the list of invitations.
          Sending again replaces their one-time passwords.
        </p>
      )}
    </Notice>
  );
}

export type DeliveryCounts = Record<'queued' | 'sent' | 'uncertain' | 'failed', number>;

const PARTS = [
  ['sent', 'sent'],
  ['queued', 'waiting'],
  ['uncertain', 'uncertain'],
  ['failed', 'failed'],
] as const;

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
        className={BAR}
      />
    </div>
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
