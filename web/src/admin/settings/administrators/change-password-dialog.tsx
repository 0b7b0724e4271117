import { zodResolver } from '@hookform/resolvers/zod';
import { changeOwnPassword } from '@invigil/core/contract/accounts/admins';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { ApiError, sentenceOf } from '../../../net/api.ts';
import { showIssues } from '../../../net/form-refusal.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../../ui/dialogs/form-footer.tsx';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { showFailure } from '../../failures.tsx';
import { useChangePassword } from './admins-api.ts';

/** Refusals of the server that concern one field. */
const FIELD_OF: Partial<Record<string, 'currentPassword' | 'newPassword'>> = {
  WRONG_PASSWORD: 'currentPassword',
  THROTTLED: 'currentPassword',
  LOOKS_LIKE_CODE: 'newPassword',
  GUESSABLE_PASSWORD: 'newPassword',
};

/** Changes your own password. Both fields have a show toggle instead of a repeat field. */
export function ChangePasswordDialog({ onClose }: { onClose(): void }) {
  const formId = useId();
  const change = useChangePassword();
  const form = useForm({
    resolver: zodResolver(changeOwnPassword.body),
    defaultValues: { currentPassword: '', newPassword: '' },
  });
  const { errors, isDirty } = form.formState;

  const submit = form.handleSubmit(async (body) => {
    try {
      await change.mutateAsync(body);
      toast({
        title: 'Password changed',
        description: 'You have been signed out on other devices.',
      });
      onClose();
    } catch (error) {
      showIssues(error, form.setError, ['currentPassword', 'newPassword']);
      const field = error instanceof ApiError ? FIELD_OF[error.code] : undefined;
      if (field !== undefined) {
        form.setError(field, { message: sentenceOf(error) }, { shouldFocus: true });
      }
      showFailure('Failed to change the password', error);
    }
  });

  return (
    <Dialog
      open
      onClose={onClose}
      title="Change password"
      description="You stay signed in here. You will be signed out on other devices."
      unsaved={isDirty}
      footer={
        <FormFooter formId={formId} busy={change.isPending && 'Saving…'}>
          Change password
        </FormFooter>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        <PasswordField
          label="Current password"
          required
          autoComplete="current-password"
          error={errors.currentPassword?.message}
          {...form.register('currentPassword')}
        />
        <PasswordField
          label="New password"
          required
          autoComplete="new-password"
          hint="At least 12 characters."
          error={errors.newPassword?.message}
          {...form.register('newPassword')}
        />
      </form>
    </Dialog>
  );
}
