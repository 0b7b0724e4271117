import type { InvitedBefore as Invited } from '@invigil/core/contract/invitations/invitations';
import { emailKey } from '@invigil/core/domain/email-address';
import { numberText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { Info } from 'lucide-react';
import { useState } from 'react';
import { formatDateTime } from '../../../lib/format.ts';
import { Badge } from '../../../ui/badges/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { STATE_WORDS } from '../../data/invitations.ts';

const SHOWN = 5;

/** Lists the typed addresses that were invited before. */
export function InvitedBefore({
  invited,
  byMail,
  onLeaveOut,
}: {
  invited: readonly Invited[];
  /** The email brings a new one-time password. */
  byMail: boolean;
  onLeaveOut(emails: ReadonlySet<string>): void;
}) {
  const [isAll, setAll] = useState(false);
  const hasEnd = invited.some(({ state }) => isWithout(state));
  return (
    <div role="status">
      {invited.length > 0 && (
        <Notice
          icon={<Info />}
          title={t(
            'invite.before',
            '{count, plural, one {# person invited before} other {# people invited before}}',
            { count: invited.length },
          )}
          action={
            <Button
              size="dense"
              onClick={() => onLeaveOut(new Set(invited.map(({ email }) => emailKey(email))))}
            >
              {t(/* a button */ 'invite.before.leaveOut', 'Leave out')}
            </Button>
          }
        >
          <p>
            {byMail &&
              invited.some(({ state }) => !isWithout(state)) &&
              `${t('invite.before.replaced', 'A new one-time password replaces the earlier one.')} `}
            {hasEnd &&
              t('invite.before.started', 'Those who have started or finished get nothing.')}
          </p>
          <ul className="mt-2 grid gap-1.5">
            {(isAll ? invited : invited.slice(0, SHOWN)).map(({ email, state, invitedAt }) => (
              <li key={email} className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
                <span className="min-w-0 flex-1 basis-40 break-all text-ink">{email}</span>
                <span className="text-sm text-ink-3">{formatDateTime(invitedAt)}</span>
                <Badge tone={state === 'failed' ? 'bad' : 'neutral'} glyph={GLYPHS[state]}>
                  {state === 'failed'
                    ? t(/* to invite someone */ 'invite.before.mailFailed', 'Email failed')
                    : STATE_WORDS[state]()}
                </Badge>
              </li>
            ))}
          </ul>
          {!isAll && invited.length > SHOWN && (
            <Button size="dense" className="mt-2" onClick={() => setAll(true)}>
              {t(/* people */ 'invite.showAll', 'Show all ({count})', {
                count: numberText(invited.length),
              })}
            </Button>
          )}
        </Notice>
      )}
    </div>
  );
}

const GLYPHS = {
  failed: 'cross',
  not_started: 'dashed',
  signed_in: 'ring',
  started: 'half',
  finished: 'ticked',
  revoked: 'slashed',
} as const satisfies Record<Invited['state'], string>;

/** They get no email. */
const isWithout = (state: Invited['state']) => state === 'started' || state === 'finished';
