import { zodResolver } from '@hookform/resolvers/zod';
import { changeOwnPassword } from '@invigil/core/contract/accounts/admins';
import { useForm } from 'react-hook-form';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { FormDialog } from '../../form-dialog.tsx';
import { useChangePassword } from './admins-api.ts';

/** Changes your own password. Both fields have a show toggle instead of a repeat field. */
export function ChangePasswordDialog({ onClose }: { onClose(): void }) {
  const change = useChangePassword();
  const form = useForm({
    resolver: zodResolver(changeOwnPassword.body),
    defaultValues: { currentPassword: '', newPassword: '' },
  });
  const { errors } = form.formState;
  return (
    <FormDialog
      form={form}
      title="Change password"
      description="You stay signed in here. You will be signed out on other devices."
      submitLabel="Change password"
      busyLabel="Saving…"
      failed="Failed to change the password"
      fieldOf={{
        WRONG_PASSWORD: 'currentPassword',
        THROTTLED: 'currentPassword',
        LOOKS_LIKE_CODE: 'newPassword',
        GUESSABLE_PASSWORD: 'newPassword',
      }}
      onClose={onClose}
      onSubmit={async (body) => {
        await change.mutateAsync(body);
        toast({
          title: 'Password changed',
          description: 'You have been signed out on other devices.',
        });
        onClose();
      }}
    >
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
    </FormDialog>
  );
}
