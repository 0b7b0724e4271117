import { listText, numberText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { Mail, TriangleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { Notice } from '../../../ui/notice.tsx';
import { Trans } from '../../../ui/trans.tsx';
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
  const words = t(
    /* invitations that are done, and all of them */ 'invite.progress',
    '{done} of {total}',
    {
      done: numberText(done),
      total: numberText(total),
    },
  );
  return (
    <div className="grid gap-2 py-2">
      <p className="flex justify-between gap-4 font-medium">
        <span id={id}>{t('invite.progress.title', 'Queuing invitations')}</span>
        <span role="status" className="tabular-nums">
          {words}
        </span>
      </p>
      <progress aria-labelledby={id} value={done} max={total} className={BAR} />
      <p className="text-sm text-ink-3">{children}</p>
    </div>
  );
}

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
  return (
    <Notice tone="warn" icon={<TriangleAlert />}>
      <p>{`${leftText(done, unanswered, unsent)} ${t('invite.left.inBox', 'The remaining addresses are still in the box.')}`}</p>
      {unanswered > 0 && (
        <p>
          {t(
            'invite.left.hint',
            'Without a response, invitations may still have been sent. Check the list of invitations. Sending again replaces their one-time passwords.',
          )}
        </p>
      )}
    </Notice>
  );
}

/** How many addresses were done, had no response, and were not sent: of the latter two at least one. */
function leftText(done: number, unanswered: number, unsent: number): string {
  if (done === 0) {
    if (unanswered === 0) {
      return t(
        /* addresses */ 'invite.left.unsent',
        '{unsent, plural, one {# not sent.} other {# not sent.}}',
        { unsent },
      );
    }
    return unsent === 0
      ? t(
          'invite.left.unanswered',
          '{unanswered, plural, one {No response for # address.} other {No response for # addresses.}}',
          { unanswered },
        )
      : t(
          'invite.left.unansweredUnsent',
          '{unanswered, plural, one {No response for # address} other {No response for # addresses}}, {unsent, plural, one {# not sent} other {# not sent}}.',
          { unanswered, unsent },
        );
  }
  if (unanswered === 0) {
    return t(
      'invite.left.doneUnsent',
      '{done, plural, one {# address done} other {# addresses done}}, {unsent, plural, one {# not sent} other {# not sent}}.',
      { done, unsent },
    );
  }
  return unsent === 0
    ? t(
        'invite.left.doneUnanswered',
        '{done, plural, one {# address done} other {# addresses done}}, {unanswered, plural, one {no response for #} other {no response for #}}.',
        { done, unanswered },
      )
    : t(
        'invite.left.all',
        '{done, plural, one {# address done} other {# addresses done}}, {unanswered, plural, one {no response for #} other {no response for #}}, {unsent, plural, one {# not sent} other {# not sent}}.',
        { done, unanswered, unsent },
      );
}

export type DeliveryCounts = Record<'queued' | 'sent' | 'uncertain' | 'failed', number>;

const PARTS: readonly [state: keyof DeliveryCounts, words: (count: number) => string][] = [
  [
    'sent',
    (count) =>
      t(/* emails */ 'invite.delivery.sent', '{count, plural, one {# sent} other {# sent}}', {
        count,
      }),
  ],
  [
    'queued',
    (count) =>
      t(
        /* emails */ 'invite.delivery.waiting',
        '{count, plural, one {# waiting} other {# waiting}}',
        { count },
      ),
  ],
  [
    'uncertain',
    (count) =>
      t(
        /* emails that may have arrived */ 'invite.delivery.uncertain',
        '{count, plural, one {# uncertain} other {# uncertain}}',
        { count },
      ),
  ],
  [
    'failed',
    (count) =>
      t(/* emails */ 'invite.delivery.failed', '{count, plural, one {# failed} other {# failed}}', {
        count,
      }),
  ],
];

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
          {waiting === 0
            ? t('invite.delivery.done', 'Emails sent')
            : t('invite.delivery.busy', 'Sending emails')}
        </span>
        <span role="status" className="text-ink-2 tabular-nums">
          {t(
            /* {counts}: '3 sent, 2 waiting'; {total}: of emails */ 'invite.delivery.counts',
            '{counts} of {total}',
            {
              counts: listText(
                parts.map(([state, words]) => words(counts[state])),
                'unit',
              ),
              total: numberText(total),
            },
          )}
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
  const outbox = (
    <Link to="/admin/settings/outbox" className="font-medium underline underline-offset-4" />
  );
  return (
    <Notice tone="warn" icon={<Mail />}>
      {mailServer === 'missing' ? (
        <Trans
          id="invite.delivery.noMailServer"
          message="{count, plural, one {No mail server is configured yet. # email waits in the <outbox>outbox</outbox>, where you can read and copy them.} other {No mail server is configured yet. # emails wait in the <outbox>outbox</outbox>, where you can read and copy them.}}"
          values={{ count: waiting }}
          components={{ outbox }}
        />
      ) : (
        <Trans
          id="invite.delivery.mailServerOff"
          message="{count, plural, one {The mail server is switched off. # email waits in the <outbox>outbox</outbox>.} other {The mail server is switched off. # emails wait in the <outbox>outbox</outbox>.}}"
          values={{ count: waiting }}
          components={{ outbox }}
        />
      )}
    </Notice>
  );
}
