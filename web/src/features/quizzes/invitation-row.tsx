import type { Invitation } from '@invigil/core/contract/invitations';
import { SlidersHorizontal } from 'lucide-react';
import { Link } from 'react-router';
import { formatDateTime } from '../../lib/dates.ts';
import { Badge } from '../../ui/badge.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { LabelledValue, LabelledValues } from '../../ui/labelled-values.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { accommodationWords, mailWords } from './invitation-words.ts';

const timeOrDash = (at: string | null) => (at === null ? '–' : formatDateTime(at));

/** One invited person: the mail, how far they came, and what was arranged for them. */
export function InvitationRow({
  invitation,
  chosen,
  onChoose,
  onAccommodate,
}: {
  invitation: Invitation;
  chosen: boolean;
  onChoose(chosen: boolean): void;
  onAccommodate(): void;
}) {
  const { mail, participantId, revokedAt } = invitation;
  const email = invitation.email ?? 'Unknown';
  const words = mailWords(invitation);
  const arranged = accommodationWords(invitation);
  const hasStarted = invitation.status !== 'not_started';
  return (
    <li className="grid gap-2.5 border-b border-line px-4 py-3 last:border-b-0">
      <div className="flex items-start justify-between gap-3">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1.5">
          <Checkbox
            label={<span className="font-medium break-all">{email}</span>}
            checked={chosen}
            onChange={(event) => onChoose(event.target.checked)}
          />
          <span className="flex flex-wrap gap-1.5">
            <Badge tone={words.tone} glyph={words.glyph}>
              {words.word}
            </Badge>
            <StatusBadge status={invitation.status} />
          </span>
        </div>
        {participantId !== null && (
          <Link
            to={`/admin/participants/${participantId}`}
            aria-label={`Open the record of ${email}`}
            className="flex-none text-sm leading-8 font-medium text-accent-ink underline-offset-4 hover:underline touch:leading-11"
          >
            Open
          </Link>
        )}
        <IconButton
          label={`Extra time and devices of ${email}`}
          tooltip="Extra time and devices"
          unavailable={hasStarted ? 'Extra time is given on the attempt itself' : undefined}
          onClick={onAccommodate}
        >
          <SlidersHorizontal aria-hidden="true" strokeWidth={1.5} />
        </IconButton>
      </div>
      {revokedAt === null && mail?.lastError && (
        <p className="text-sm break-words text-bad-ink">{mail.lastError}</p>
      )}
      <LabelledValues>
        <LabelledValue label="Invited">{formatDateTime(invitation.invitedAt)}</LabelledValue>
        <LabelledValue label="Signed in">{timeOrDash(invitation.signedInAt)}</LabelledValue>
        <LabelledValue label="Started">{timeOrDash(invitation.startedAt)}</LabelledValue>
        <LabelledValue label="Finished">{timeOrDash(invitation.submittedAt)}</LabelledValue>
      </LabelledValues>
      {arranged.length > 0 && (
        <p className="text-sm text-ink-2">{`Arranged: ${arranged.join(', ')}`}</p>
      )}
    </li>
  );
}
