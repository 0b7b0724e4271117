import { confirmPassword } from '@invigil/core/contract/accounts/auth';
import { t } from '@invigil/core/texts/i18n';
import { useId } from 'react';
import { useSecretForm } from '../../admin/parts/use-secret-form.ts';
import { ApiError, callEndpoint, inTime } from '../../net/api.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../ui/dialogs/form-footer.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';

/** Asks for the own password; `onEnd` gets whether it was right. */
export function PasswordDialog({ onEnd }: { onEnd(confirmed: boolean): void }) {
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
      title={t('portal.confirmPassword.title', 'Confirm your password')}
      description={t(
        'portal.confirmPassword.text',
        'This action needs a password entered in the last 15 minutes.',
      )}
      footer={
        <FormFooter formId={formId} busy={busy && t('portal.confirmPassword.busy', 'Confirming…')}>
          {t(/* a button */ 'portal.confirmPassword.confirm', 'Confirm')}
        </FormFooter>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)}>
        <PasswordField
          label={t(/* label of a field */ 'portal.confirmPassword.password', 'Password')}
          required
          autoComplete="current-password"
          {...field}
        />
      </form>
    </Dialog>
  );
}
