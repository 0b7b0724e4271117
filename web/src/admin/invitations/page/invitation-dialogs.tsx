import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import type { Invitation, InvitationResult } from '@invigil/core/contract/invitations/invitations';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogClose } from '../../../ui/dialogs/dialog.tsx';
import type { MailServerState } from '../../assessments/api.ts';
import { InviteDialog } from '../invite/invite-dialog.tsx';
import { InviteResults } from '../invite/invite-results.tsx';
import { InvitationAccommodations } from './invitation-accommodations.tsx';
import type { SelectionAction } from './invitations-selection.tsx';
import { RevokeInvitations } from './revoke-invitations.tsx';
import { SendAgainDialog } from './send-again-dialog.tsx';

/** What is asked on the page of invitations. */
export type InvitationDialog =
  | { action: 'invite' }
  | { action: 'accommodate'; invitation: Invitation }
  | { action: SelectionAction; ids: string[] };

/** The open dialog, and the results of what was resent. */
export function InvitationDialogs({
  quiz,
  mailServer,
  opened,
  onClose,
  onDone,
}: {
  quiz: Quiz;
  mailServer: MailServerState;
  opened: InvitationDialog | null;
  /** The dialog may have been closed before the response, and another one opened. */
  onClose(which: InvitationDialog): void;
  /** The selection was dealt with. */
  onDone(): void;
}) {
  const [results, setResults] = useState<InvitationResult[] | null>(null);
  const close = () => opened !== null && onClose(opened);
  return (
    <>
      {opened?.action === 'invite' && <InviteDialog quiz={quiz} onClose={close} />}
      {opened?.action === 'accommodate' && (
        <InvitationAccommodations invitation={opened.invitation} quiz={quiz} onClose={close} />
      )}
      {opened?.action === 'revoke' && (
        <RevokeInvitations quizId={quiz.id} ids={opened.ids} onClose={close} onRevoked={onDone} />
      )}
      {(opened?.action === 'resend' || opened?.action === 'remind') && (
        <SendAgainDialog
          quiz={quiz}
          kind={opened.action}
          ids={opened.ids}
          onClose={close}
          onSent={(sent) => {
            close();
            setResults(sent);
            onDone();
          }}
        />
      )}
      {results !== null && (
        <Dialog
          open
          onClose={() => setResults(null)}
          title="Resent"
          description={quiz.title}
          footer={
            <DialogClose>
              <Button variant="primary">Done</Button>
            </DialogClose>
          }
        >
          <InviteResults quizId={quiz.id} results={results} mailServer={mailServer} />
        </Dialog>
      )}
    </>
  );
}
