import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import type { FieldValues, Path, SubmitErrorHandler, UseFormReturn } from 'react-hook-form';
import { type FieldError, get } from 'react-hook-form';
import { ApiError, sentenceOf } from '../../net/api.ts';
import { showIssues } from '../../net/form-refusal.ts';
import { AlertDialog, Dialog } from '../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../ui/dialogs/form-footer.tsx';
import { type ToastText, toast } from '../../ui/toast.ts';
import { showFailure } from '../data/show-failure.ts';
import { STALE_SENTENCE, type Stale, StaleVersions } from './stale-notice.tsx';

/** A form in a dialog. What the server refuses is shown at its field and in a toast; the input stays. */
export function FormDialog<V extends FieldValues, Context, B>({
  form,
  title,
  description,
  submitLabel,
  busyLabel,
  danger = false,
  failed,
  sentence = sentenceOf,
  fieldOf = {},
  unavailable,
  stale,
  onSubmit,
  onInvalid,
  onClose,
  children,
}: {
  form: UseFormReturn<V, Context, B>;
  title: string;
  description?: ReactNode;
  submitLabel: string;
  busyLabel: string;
  danger?: boolean;
  failed: string;
  sentence?(error: unknown): string;
  fieldOf?: Partial<Record<string, Path<V>>>;
  /** Why it cannot be submitted now. */
  unavailable?: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: of whatever the form is about
  stale?: Stale<any, V> | undefined;
  /** Rejects if the server refuses. */
  onSubmit(body: B): Promise<unknown>;
  onInvalid?: SubmitErrorHandler<V>;
  onClose(): void;
  children: ReactNode;
}) {
  const formId = useId();
  const [busy, setBusy] = useState(false);
  const submit = form.handleSubmit(async (body) => {
    setBusy(true);
    try {
      await onSubmit(body);
    } catch (error) {
      showIssues(error, form.setError, Object.keys(form.getValues()) as Path<V>[]);
      const field = error instanceof ApiError ? fieldOf[error.code] : undefined;
      if (field !== undefined) {
        form.setError(field, { message: sentenceOf(error) }, { shouldFocus: true });
      }
      const areShown = stale?.read.refused(error) ?? false;
      showFailure(failed, areShown ? STALE_SENTENCE : sentence(error));
    } finally {
      setBusy(false);
    }
  }, onInvalid);
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={description}
      unsaved={form.formState.isDirty}
      footer={
        <FormFooter formId={formId} {...{ danger, unavailable }} busy={busy && busyLabel}>
          {submitLabel}
        </FormFooter>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        {stale && <StaleVersions {...stale} form={form} onKeepMine={() => void submit()} />}
        {children}
      </form>
    </Dialog>
  );
}

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
  onDone,
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
  /** Called after the action has succeeded and the dialog has closed. */
  onDone?(): void;
  children: ReactNode;
}) {
  const confirm = async () => {
    const isDone = await action.mutateAsync(subject).then(
      () => true,
      (error: unknown) => {
        showFailure(failed, error);
        return false;
      },
    );
    if (isDone) toast(done);
    onClose();
    if (isDone) onDone?.();
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

/** A text field of a form, with what is wrong with it. */
export function fieldIn<V extends FieldValues, Context, B>(
  form: UseFormReturn<V, Context, B>,
  name: Path<V>,
) {
  const problem: FieldError | undefined = get(form.formState.errors, name);
  return { ...form.register(name), error: problem?.message };
}
