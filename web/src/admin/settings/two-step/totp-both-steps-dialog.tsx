import { zodResolver } from '@hookform/resolvers/zod';
import { renewRecoveryCodes, switchOffTotp } from '@invigil/core/contract/accounts/totp';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { callEndpoint } from '../../../net/api.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { FormDialog } from '../../form-dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

const ACTIONS = {
  renew: {
    title: 'New recovery codes',
    description: 'The earlier ones no longer work.',
    confirm: 'Create new codes',
    done: 'New recovery codes created',
    failed: 'Failed to create new recovery codes',
  },
  off: {
    title: 'Turn off two-step sign-in',
    description:
      'You can then sign in with your password alone. You will be signed out on other devices.',
    confirm: 'Turn off',
    done: 'Two-step sign-in is off',
    failed: 'Failed to turn off two-step sign-in',
  },
} as const;

/** Weakening the sign-in requires both steps again. */
export function BothStepsDialog({
  action,
  onClose,
  onChanged,
}: {
  action: keyof typeof ACTIONS;
  onClose(): void;
  onChanged(): Promise<unknown>;
}) {
  const words = ACTIONS[action];
  const [codes, setCodes] = useState<string[] | null>(null);
  const form = useForm({
    resolver: zodResolver(switchOffTotp.body),
    defaultValues: { currentPassword: '', code: '' },
  });
  const { errors } = form.formState;
  if (codes !== null) {
    return (
      <Dialog open onClose={onClose} title={words.title} unsaved>
        <RecoveryCodes codes={codes} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      form={form}
      title={words.title}
      description={words.description}
      submitLabel={words.confirm}
      busyLabel="One moment…"
      danger={action === 'off'}
      failed={words.failed}
      fieldOf={{ THROTTLED: 'code' }}
      onClose={onClose}
      onSubmit={async (body) => {
        if (action === 'renew') {
          setCodes((await callEndpoint(renewRecoveryCodes, { body })).recoveryCodes);
        } else {
          await callEndpoint(switchOffTotp, { body });
          onClose();
        }
        toast({ title: words.done });
        void onChanged();
      }}
    >
      <PasswordField
        label="Current password"
        required
        autoComplete="current-password"
        error={errors.currentPassword?.message}
        {...form.register('currentPassword')}
      />
      <TextField
        label="Code"
        required
        autoComplete="one-time-code"
        inputClassName="code tracking-[0.12em]"
        hint="Six digits from the app, or a recovery code."
        error={errors.code?.message}
        {...form.register('code')}
      />
    </FormDialog>
  );
}
