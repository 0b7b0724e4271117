import { zodResolver } from '@hookform/resolvers/zod';
import { AdminBody, changeOwnPassword } from '@invigil/core/contract/accounts/admins';
import { useForm } from 'react-hook-form';
import { ConnectionError } from '../../../net/api.ts';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { FormDialog } from '../../form-dialog.tsx';
import { useChangePassword, useCreateAdmin } from './admins-api.ts';

/** Add Admin: an address and a first password, which the new administrator can change. */
export function AddAdminDialog({ onClose }: { onClose(): void }) {
  const create = useCreateAdmin();
  const form = useForm({
    resolver: zodResolver(AdminBody),
    defaultValues: { email: '', password: '' },
  });
  const { errors } = form.formState;
  return (
    <FormDialog
      form={form}
      title="Add Admin"
      description="Administrators have full access to this portal."
      submitLabel="Add Admin"
      busyLabel="Creating…"
      failed="Failed to create admin"
      sentence={(error) =>
        error instanceof ConnectionError ? error.message : 'Please check the data and try again.'
      }
      fieldOf={{
        ADMIN_EXISTS: 'email',
        LOOKS_LIKE_CODE: 'password',
        GUESSABLE_PASSWORD: 'password',
      }}
      onClose={onClose}
      onSubmit={async (body) => {
        const admin = await create.mutateAsync(body);
        toast({ title: 'Admin created', description: admin.email });
        onClose();
      }}
    >
      <TextField
        label="Email"
        type="email"
        required
        autoComplete="off"
        error={errors.email?.message}
        {...form.register('email')}
      />
      <PasswordField
        label="Password"
        required
        autoComplete="new-password"
        hint="At least 12 characters. Hand it over in person, not by email."
        error={errors.password?.message}
        {...form.register('password')}
      />
    </FormDialog>
  );
}

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
