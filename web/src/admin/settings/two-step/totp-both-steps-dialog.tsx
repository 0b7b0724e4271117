import { zodResolver } from '@hookform/resolvers/zod';
import { renewRecoveryCodes, switchOffTotp } from '@invigil/core/contract/accounts/totp';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { ApiError, callEndpoint, sentenceOf } from '../../../net/api.ts';
import { showIssues } from '../../../net/form-refusal.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../../ui/dialogs/form-footer.tsx';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { showFailure } from '../../failures.tsx';
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
  const formId = useId();
  const words = ACTIONS[action];
  const [codes, setCodes] = useState<string[] | null>(null);
  const form = useForm({
    resolver: zodResolver(switchOffTotp.body),
    defaultValues: { currentPassword: '', code: '' },
  });
  const { errors, isDirty } = form.formState;
  const change = useMutation({
    mutationFn: async (body: { currentPassword: string; code: string }) =>
      action === 'renew'
        ? (await callEndpoint(renewRecoveryCodes, { body })).recoveryCodes
        : callEndpoint(switchOffTotp, { body }),
  });

  const submit = form.handleSubmit(async (body) => {
    try {
      const made = await change.mutateAsync(body);
      toast({ title: words.done });
      if (made === undefined) onClose();
      else setCodes(made);
      void onChanged();
    } catch (error) {
      showIssues(error, form.setError, ['currentPassword', 'code']);
      if (error instanceof ApiError && error.code === 'THROTTLED') {
        form.setError('code', { message: sentenceOf(error) }, { shouldFocus: true });
      }
      showFailure(words.failed, error);
    }
  });

  if (codes !== null) {
    return (
      <Dialog open onClose={onClose} title={words.title} unsaved>
        <RecoveryCodes codes={codes} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title}
      description={words.description}
      unsaved={isDirty}
      footer={
        <FormFooter
          formId={formId}
          danger={action === 'off'}
          busy={change.isPending && 'One moment…'}
        >
          {words.confirm}
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
        <TextField
          label="Code"
          required
          autoComplete="one-time-code"
          inputClassName="code tracking-[0.12em]"
          hint="Six digits from the app, or a recovery code."
          error={errors.code?.message}
          {...form.register('code')}
        />
      </form>
    </Dialog>
  );
}
