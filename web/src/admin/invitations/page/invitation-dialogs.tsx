import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import type { Invitation, InvitationResult } from '@invigil/core/contract/invitations/invitations';
import { useState } from 'react';
import { answerWasLost, sentenceOf } from '../../../net/api.ts';
import { Button } from '../../../ui/button.tsx';
import { AlertDialog, Dialog, DialogClose } from '../../../ui/dialogs/dialog.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import type { MailServerState } from '../../assessments/api.ts';
import { showFailure } from '../../failures.tsx';
import { people } from '../invitation-words.ts';
import { useRevoke } from '../invitations-api.ts';
import { InviteDialog } from '../invite/invite-dialog.tsx';
import { InviteResults } from '../invite/invite-results.tsx';
import { useInBatches } from '../invite/use-in-batches.ts';
import { InvitationAccommodations } from './invitation-accommodations.tsx';
import type { SelectionAction } from './invitations-selection.tsx';
import { SendAgainDialog } from './send-again-dialog.tsx';

/** The open dialog of the page of invitations. */
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

/** Revokes invitations after confirmation. */
function RevokeInvitations({
  quizId,
  ids,
  onClose,
  onRevoked,
}: {
  quizId: string;
  ids: readonly string[];
  onClose(): void;
  onRevoked(): void;
}) {
  const revoke = useRevoke(quizId);
  const { progress, send } = useInBatches();
  const revokeAll = async () => {
    const done = await send(ids, async (batch) => [(await revoke.mutateAsync(batch)).revoked]);
    const revoked = done.results.reduce((sum, n) => sum + n, 0);
    const count = `${revoked.toLocaleString('en-GB')} of ${ids.length.toLocaleString('en-GB')}`;
    if (done.error === null) {
      toast({ title: 'Invitations revoked', description: count });
      onRevoked();
    } else if (answerWasLost(done.error)) {
      showFailure(
        'Invitations may have been revoked',
        'The server did not respond. Check the list before you try again.',
      );
    } else {
      showFailure(
        'Failed to revoke invitations',
        revoked === 0 ? sentenceOf(done.error) : `Revoked ${count}. ${sentenceOf(done.error)}`,
      );
    }
    onClose();
  };
  return (
    <AlertDialog
      open
      onCancel={onClose}
      title={`Revoke the ${ids.length === 1 ? 'invitation' : 'invitations'} of ${people(ids.length)}?`}
      confirmLabel="Revoke"
      busy={progress !== null && 'Revoking…'}
      onConfirm={() => void revokeAll()}
    >
      <p>
        Their one-time passwords stop working immediately and queued emails are not sent. Attempts
        in progress continue. You can invite them again.
      </p>
    </AlertDialog>
  );
}
