import { answerWasLost, sentenceOf } from '../../../net/api.ts';
import { AlertDialog } from '../../../ui/dialogs/alert-dialog.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { people } from '../invitation-words.ts';
import { useRevoke } from '../invitations-api.ts';
import { useInBatches } from '../invite/use-in-batches.ts';

/** Revokes invitations after confirmation. */
export function RevokeInvitations({
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
      toast({
        title: 'Invitations may have been revoked',
        description: 'The server did not respond. Check the list before you try again.',
        variant: 'destructive',
      });
    } else {
      toast({
        title: 'Failed to revoke invitations',
        description:
          revoked === 0 ? sentenceOf(done.error) : `Revoked ${count}. ${sentenceOf(done.error)}`,
        variant: 'destructive',
      });
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
