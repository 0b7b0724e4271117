import { zodResolver } from '@hookform/resolvers/zod';
import { AdminBody } from '@invigil/core/contract/accounts/admins';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { ApiError, ConnectionError, sentenceOf } from '../../../net/api.ts';
import { showIssues } from '../../../net/form-refusal.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../../ui/dialogs/form-footer.tsx';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { useCreateAdmin } from './admins-api.ts';

/** Refusals of the server that concern one field. */
const FIELD_OF: Partial<Record<string, 'email' | 'password'>> = {
  ADMIN_EXISTS: 'email',
  LOOKS_LIKE_CODE: 'password',
  GUESSABLE_PASSWORD: 'password',
};

/** Add Admin: an address and a first password, which the new administrator can change. */
export function AddAdminDialog({ onClose }: { onClose(): void }) {
  const formId = useId();
  const create = useCreateAdmin();
  const form = useForm({
    resolver: zodResolver(AdminBody),
    defaultValues: { email: '', password: '' },
  });
  const { errors, isDirty } = form.formState;

  const submit = form.handleSubmit(async (body) => {
    try {
      const admin = await create.mutateAsync(body);
      toast({ title: 'Admin created', description: admin.email });
      onClose();
    } catch (error) {
      showIssues(error, form.setError, ['email', 'password']);
      const field = error instanceof ApiError ? FIELD_OF[error.code] : undefined;
      if (field !== undefined) {
        form.setError(field, { message: sentenceOf(error) }, { shouldFocus: true });
      }
      toast({
        title: 'Failed to create admin',
        description:
          error instanceof ConnectionError ? error.message : 'Please check the data and try again.',
        variant: 'destructive',
      });
    }
  });

  return (
    <Dialog
      open
      onClose={onClose}
      title="Add Admin"
      description="Administrators have full access to this portal."
      unsaved={isDirty}
      footer={
        <FormFooter formId={formId} busy={create.isPending && 'Creating…'}>
          Add Admin
        </FormFooter>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
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
      </form>
    </Dialog>
  );
}
