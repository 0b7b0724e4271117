import type { Admin } from '@invigil/core/contract/accounts/admins';
import { sentenceOf } from '../../../net/api.ts';
import { AlertDialog } from '../../../ui/dialogs/alert-dialog.tsx';
import { showOutcome } from '../../../ui/toasts/show-outcome.ts';
import { useDeleteAdmin } from './admins-api.ts';

/** Confirm Delete of an administrator. */
export function DeleteAdmin({ admin, onClose }: { admin: Admin; onClose(): void }) {
  const remove = useDeleteAdmin();
  const confirm = () => {
    const done = { title: 'Admin deleted', description: admin.email };
    void showOutcome(remove.mutateAsync(admin.id), done, 'Failed to delete admin', sentenceOf).then(
      onClose,
    );
  };
  return (
    <AlertDialog
      open
      onCancel={onClose}
      title="Confirm Delete"
      confirmLabel="Delete"
      busy={remove.isPending && 'Deleting…'}
      onConfirm={confirm}
    >
      <p>
        Delete the administrator <span className="break-all">{admin.email}</span>? They are signed
        out immediately and can no longer sign in.
      </p>
      <p className="mt-2">Assessments, results and the audit log stay.</p>
    </AlertDialog>
  );
}
