import type { Invitation } from '@invigil/core/contract/invitations/invitations';
import { SlidersHorizontal } from 'lucide-react';
import { Link } from 'react-router';
import { formatDateTime } from '../../../lib/dates.ts';
import { mailReason } from '../../../lib/mail-delivery.ts';
import { mailStatus } from '../../../lib/mail-status.ts';
import { Badge } from '../../../ui/badges/badge.tsx';
import { MailBadge } from '../../../ui/badges/mail-badge.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { accommodationWords } from '../invitation-words.ts';

export interface InvitationListProps {
  rows: readonly Invitation[];
  selected: ReadonlySet<string>;
  onSelect(ids: readonly string[], isSelected: boolean): void;
  onAccommodate(invitation: Invitation): void;
}

export const nameOf = ({ email }: Invitation) => email ?? 'Unknown';

/** The state of the latest email, or that the invitation is revoked. */
export function MailOf({ invitation: { mail, revokedAt } }: { invitation: Invitation }) {
  if (revokedAt !== null) {
    return (
      <Badge tone="neutral" glyph="slashed">
        Revoked
      </Badge>
    );
  }
  if (mail === null) {
    return (
      <Badge tone="neutral" glyph="dashed">
        No email
      </Badge>
    );
  }
  return <MailBadge status={mailStatus(mail)} />;
}

/** Why the email has not arrived, until when the password works, and this person's accommodations. */
export function NotesOf({ invitation }: { invitation: Invitation }) {
  const { mail, revokedAt, codeValidUntil } = invitation;
  const reason = mail === null || revokedAt !== null ? null : mailReason(mail);
  const arranged = accommodationWords(invitation);
  return (
    <>
      {reason !== null && (
        <p
          className={`text-sm break-words ${mail?.state === 'failed' ? 'text-bad-ink' : 'text-ink-2'}`}
        >
          {reason}
        </p>
      )}
      {codeValidUntil !== null && (
        <p className="text-sm text-ink-3">
          {`Password ${Date.parse(codeValidUntil) < Date.now() ? 'ended' : 'until'} `}
          <time dateTime={codeValidUntil}>{formatDateTime(codeValidUntil)}</time>
        </p>
      )}
      {arranged.length > 0 && (
        <p className="text-sm text-ink-2">{`Accommodations: ${arranged.join(', ')}`}</p>
      )}
    </>
  );
}

/** A dash for "not yet". */
export function TimeOf({ at }: { at: string | null }) {
  if (at === null) return <span className="text-ink-3">–</span>;
  return <time dateTime={at}>{formatDateTime(at)}</time>;
}

/** A link to the record if there is one; before, the accommodations. */
export function InvitationActions({
  invitation,
  onAccommodate,
}: {
  invitation: Invitation;
  onAccommodate(): void;
}) {
  const { participantId } = invitation;
  const email = nameOf(invitation);
  return (
    <span className="inline-flex items-center justify-end gap-2">
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
        unavailable={
          invitation.status === 'not_started'
            ? undefined
            : 'Give extra time in the record of the attempt'
        }
        onClick={onAccommodate}
      >
        <SlidersHorizontal />
      </IconButton>
    </span>
  );
}
