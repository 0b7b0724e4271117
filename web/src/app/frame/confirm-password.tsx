import { confirmPassword } from '@invigil/core/contract/accounts/auth';
import { useEffect, useId, useState } from 'react';
import { useSecretForm } from '../../admin/use-secret-form.ts';
import { ApiError, callEndpoint, inTime, whenPasswordIsNeeded } from '../../net/api.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../ui/dialogs/form-footer.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';

/**
 * Asks for an administrator's password again (product 11). The refused call is then resent; the page
 * below keeps its input.
 */
export function ConfirmPassword() {
  const [waiting, setWaiting] = useState<{ end(confirmed: boolean): void } | null>(null);
  useEffect(
    () =>
      whenPasswordIsNeeded(
        () =>
          new Promise((resolve) => {
            const end = (confirmed: boolean) => {
              setWaiting(null);
              resolve(confirmed);
            };
            setWaiting({ end });
          }),
      ),
    [],
  );
  // The call is refused if the page is left.
  useEffect(() => () => waiting?.end(false), [waiting]);
  return waiting === null ? null : <PasswordDialog onEnd={waiting.end} />;
}

function PasswordDialog({ onEnd }: { onEnd(confirmed: boolean): void }) {
  const formId = useId();
  const { submit, busy, field } = useSecretForm('password', async (currentPassword) => {
    try {
      await callEndpoint(confirmPassword, { body: { currentPassword }, signal: inTime() });
      onEnd(true);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      onEnd(false);
    }
  });
  return (
    <Dialog
      open
      onClose={() => onEnd(false)}
      title="Confirm your password"
      description="This action needs a password entered in the last 15 minutes."
      footer={
        <FormFooter formId={formId} busy={busy && 'Confirming…'}>
          Confirm
        </FormFooter>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)}>
        <PasswordField label="Password" required autoComplete="current-password" {...field} />
      </form>
    </Dialog>
  );
}
