import { t } from '@invigil/core/texts/i18n';
import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import type { FieldValues, Path, SubmitErrorHandler, UseFormReturn } from 'react-hook-form';
import { Controller, type FieldError, get } from 'react-hook-form';
import { ApiError, sentenceOf } from '../../net/api.ts';
import { showIssues } from '../../net/form-refusal.ts';
import { AlertDialog, Dialog, type DialogProps } from '../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../ui/dialogs/form-footer.tsx';
import { SelectField, type SelectOption } from '../../ui/fields/select-field.tsx';
import { type ToastText, toast } from '../../ui/toast.ts';
import { showFailure } from '../data/show-failure.ts';
import { type Read, type Stale, StaleVersions, staleSentence } from './stale-notice.tsx';

/** A submit of a form. What the server refuses is shown at its field and in a toast; the input stays. */
interface Submit<V extends FieldValues, B> {
  failed: string;
  sentence?(error: unknown): string;
  /** The field of a refusal, by its code. */
  fieldOf?: Partial<Record<string, Path<V>>>;
  /** The fields that issues are shown at; absent: all. */
  fields?: readonly Path<V>[];
  // biome-ignore lint/suspicious/noExplicitAny: of whatever the form is about
  read?: Read<any> | undefined;
  /** Rejects if the server refuses. */
  onSubmit(body: B): Promise<unknown>;
  onInvalid?: SubmitErrorHandler<V>;
}

export function useSubmit<V extends FieldValues, Context, B>(
  form: UseFormReturn<V, Context, B>,
  { failed, sentence = sentenceOf, fieldOf = {}, fields, read, onSubmit, onInvalid }: Submit<V, B>,
) {
  return form.handleSubmit(async (body) => {
    try {
      await onSubmit(body);
    } catch (error) {
      const all = fields ?? (Object.keys(form.getValues()) as Path<V>[]);
      showIssues(error, form.setError, all);
      const field = error instanceof ApiError ? fieldOf[error.code] : undefined;
      if (field !== undefined) {
        form.setError(field, { message: sentenceOf(error) }, { shouldFocus: true });
      }
      const areShown = read?.refused(error) ?? false;
      showFailure(failed, areShown ? staleSentence() : sentence(error));
    }
  }, onInvalid);
}

/** A form in a dialog. */
export function FormDialog<V extends FieldValues, Context, B>({
  form,
  title,
  description,
  size,
  submitLabel,
  busyLabel,
  danger = false,
  unavailable,
  stale,
  beforeSubmit,
  onSubmit,
  onClose,
  children,
  ...refusals
}: Omit<Submit<V, B>, 'fields' | 'read' | 'onSubmit'> & {
  form: UseFormReturn<V, Context, B>;
  title: string;
  description?: ReactNode;
  size?: DialogProps['size'];
  submitLabel: string;
  busyLabel: string;
  danger?: boolean;
  /** Why it cannot be submitted now. */
  unavailable?: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: of whatever the form is about
  stale?: Stale<any, V> | undefined;
  /** Finishes what is typed beside the form, before its fields are checked; `false`: it was refused. */
  beforeSubmit?: (() => Promise<boolean>) | undefined;
  /** Closes the dialog with what it returns in a toast. Rejects if the server refuses. */
  onSubmit(body: B): Promise<ToastText | undefined>;
  onClose(): void;
  children: ReactNode;
}) {
  const formId = useId();
  const submit = useSubmit(form, {
    ...refusals,
    read: stale?.read,
    onSubmit: async (body) => {
      const done = await onSubmit(body);
      if (done === undefined) return;
      toast(done);
      onClose();
    },
  });
  const { isDirty, isSubmitting } = form.formState;
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={description}
      {...(size ? { size } : {})}
      unsaved={isDirty}
      footer={
        <FormFooter formId={formId} {...{ danger, unavailable }} busy={isSubmitting && busyLabel}>
          {submitLabel}
        </FormFooter>
      }
    >
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (beforeSubmit) void beforeSubmit().then((isDone) => (isDone ? submit() : undefined));
          else void submit();
        }}
        className="grid gap-4"
      >
        {stale && <StaleVersions {...stale} form={form} onKeepMine={() => void submit()} />}
        {children}
      </form>
    </Dialog>
  );
}

/** Confirms an action, performs it, and says in a toast how it went, even if unmounted since; then closes. */
export function ConfirmAction<T>({
  title = t('parts.delete.title', 'Confirm Delete'),
  confirmLabel = t(/* a button */ 'portal.delete', 'Delete'),
  busyLabel = t('portal.deleting', 'Deleting…'),
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

/** A select of a form, with what is wrong with it. */
export function FormSelect<V extends FieldValues, Context, B>({
  form,
  name,
  ...select
}: {
  form: UseFormReturn<V, Context, B>;
  name: Path<V>;
  label: string;
  options: readonly SelectOption[];
  hint?: ReactNode;
  placeholder?: string;
  optional?: boolean;
  className?: string;
}) {
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field: { value, onChange, onBlur, ref }, fieldState: { error } }) => (
        <SelectField
          {...select}
          {...{ value, onChange, onBlur }}
          controlRef={ref}
          error={error?.message}
        />
      )}
    />
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
