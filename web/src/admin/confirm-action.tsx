import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { AlertDialog } from '../ui/dialogs/dialog.tsx';
import { type ToastText, toast } from '../ui/toasts/toast.ts';
import { showFailure } from './failures.tsx';

/** Confirms an action, performs it, and says in a toast how it went, even if unmounted since; then closes. */
export function ConfirmAction<T>({
  title = 'Confirm Delete',
  confirmLabel = 'Delete',
  busyLabel = 'Deleting…',
  action,
  subject,
  done,
  failed,
  onClose,
  children,
}: {
  title?: string;
  confirmLabel?: string;
  busyLabel?: string;
  action: Pick<UseMutationResult<unknown, Error, T>, 'mutateAsync' | 'isPending'>;
  subject: T;
  done: ToastText;
  failed: string;
  onClose(): void;
  children: ReactNode;
}) {
  const confirm = async () => {
    try {
      await action.mutateAsync(subject);
      toast(done);
    } catch (error) {
      showFailure(failed, error);
    }
    onClose();
  };
  return (
    <AlertDialog
      open
      onCancel={onClose}
      title={title}
      confirmLabel={confirmLabel}
      busy={action.isPending && busyLabel}
      onConfirm={() => void confirm()}
    >
      {children}
    </AlertDialog>
  );
}
