import type { Admin } from '@invigil/core/contract/accounts/admins';
import { sentenceOf } from '../../../net/api.ts';
import { AlertDialog } from '../../../ui/dialogs/alert-dialog.tsx';
import { showOutcome } from '../../../ui/toasts/show-outcome.ts';
import { useResetTotp } from '../two-step/totp-api.ts';

/** Resets two-step sign-in for an administrator who lost app and recovery codes. */
export function ResetTotp({ admin, onClose }: { admin: Admin; onClose(): void }) {
  const reset = useResetTotp();
  const confirm = () => {
    const done = { title: 'Two-step sign-in reset', description: admin.email };
    void showOutcome(
      reset.mutateAsync(admin.id),
      done,
      'Failed to reset two-step sign-in',
      sentenceOf,
    ).then(onClose);
  };
  return (
    <AlertDialog
      open
      onCancel={onClose}
      title="Reset two-step sign-in?"
      confirmLabel="Reset"
      busy={reset.isPending && 'Resetting…'}
      onConfirm={confirm}
    >
      <span className="break-all">{admin.email}</span> will be signed out and can then sign in with
      the password alone. Make sure that the request really comes from this person.
    </AlertDialog>
  );
}
