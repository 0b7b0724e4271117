import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { ApiError } from '../../net/api.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../ui/dialogs/form-footer.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { toast } from '../../ui/toasts/toast.ts';
import { showFailure } from '../failures.tsx';

const MOST = 500;

/** An action with its reason. The input is preserved if the server refuses. */
export function ReasonDialog({
  title,
  consequence,
  confirmLabel,
  busyLabel,
  doneTitle,
  failTitle,
  danger = false,
  unsaved = false,
  validate = () => true,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  /** What happens, what remains, and whether it can be undone. */
  consequence: ReactNode;
  confirmLabel: string;
  busyLabel: string;
  doneTitle: string;
  failTitle: string;
  danger?: boolean;
  /** `children` have unsaved input. */
  unsaved?: boolean;
  /** Whether `children` are valid; they show their own problems. */
  validate?(): boolean;
  onConfirm(reason: string): Promise<unknown>;
  onClose(): void;
  /** Fields before the reason. */
  children?: ReactNode;
}) {
  const formId = useId();
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);

  const confirm = async (event: FormEvent) => {
    event.preventDefault();
    const text = reason.trim();
    const found =
      text === '' ? 'Give a reason' : text.length > MOST ? `At most ${MOST} characters` : undefined;
    setProblem(found);
    if (!validate() || found !== undefined) return;
    setBusy(true);
    try {
      await onConfirm(text);
      toast({ title: doneTitle });
      onClose();
    } catch (error) {
      if (error instanceof ApiError) setProblem(error.issueAt('reason'));
      showFailure(failTitle, error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      unsaved={!busy && (unsaved || reason.trim() !== '')}
      footer={
        <FormFooter formId={formId} danger={danger} busy={busy && busyLabel}>
          {confirmLabel}
        </FormFooter>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void confirm(event)} className="grid gap-4">
        <div className="grid gap-2 text-ink-2">{consequence}</div>
        {children}
        <TextArea
          label="Reason"
          required
          hint="Recorded in the audit log. The candidate does not see it."
          error={problem}
          value={reason}
          onChange={(event) => {
            setReason(event.target.value);
            setProblem(undefined);
          }}
        />
      </form>
    </Dialog>
  );
}
