import { type ReactNode, useId, useState } from 'react';
import type { FieldValues, Path, SubmitErrorHandler, UseFormReturn } from 'react-hook-form';
import { ApiError, sentenceOf } from '../net/api.ts';
import { showIssues } from '../net/form-refusal.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { FormFooter } from '../ui/dialogs/form-footer.tsx';
import { showFailure } from './failures.tsx';

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
      showFailure(failed, sentence(error));
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
        <FormFooter formId={formId} danger={danger} busy={busy && busyLabel}>
          {submitLabel}
        </FormFooter>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        {children}
      </form>
    </Dialog>
  );
}
