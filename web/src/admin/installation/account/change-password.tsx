import { zodResolver } from '@hookform/resolvers/zod';
import { changeOwnPassword, listOwnSessions } from '@invigil/core/contract/accounts/admins';
import { t } from '@invigil/core/texts/i18n';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { callEndpoint } from '../../../net/api.ts';
import { endpointKey } from '../../../net/endpoint-query.ts';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { FormDialog, fieldIn } from '../../parts/dialogs.tsx';

/** Changes your own password. Both fields have a show toggle instead of a repeat field. */
export function ChangePasswordDialog({ onClose }: { onClose(): void }) {
  const client = useQueryClient();
  const form = useForm({
    resolver: zodResolver(changeOwnPassword.body),
    defaultValues: { currentPassword: '', newPassword: '' },
  });
  return (
    <FormDialog
      form={form}
      title={t(
        /* a button, and the title of its dialog */ 'account.changePassword',
        'Change password',
      )}
      description={t(
        'account.changePassword.description',
        'You stay signed in here. You will be signed out on other devices.',
      )}
      submitLabel={t(
        /* a button, and the title of its dialog */ 'account.changePassword',
        'Change password',
      )}
      busyLabel={t(/* on a button */ 'portal.saving', 'Saving…')}
      failed={t('account.changePassword.failed', 'Failed to change the password')}
      fieldOf={{
        WRONG_PASSWORD: 'currentPassword',
        THROTTLED: 'currentPassword',
        LOOKS_LIKE_CODE: 'newPassword',
        GUESSABLE_PASSWORD: 'newPassword',
      }}
      onClose={onClose}
      onSubmit={async (body) => {
        await callEndpoint(changeOwnPassword, { body });
        void client.invalidateQueries({ queryKey: endpointKey(listOwnSessions) });
        return {
          title: t('account.changePassword.done', 'Password changed'),
          description: t(
            'account.signedOutElsewhere',
            'You have been signed out on other devices.',
          ),
        };
      }}
    >
      <PasswordField
        label={t(/* a field */ 'account.currentPassword', 'Current password')}
        required
        autoComplete="current-password"
        {...fieldIn(form, 'currentPassword')}
      />
      <PasswordField
        label={t('login.newPassword', 'New password')}
        required
        autoComplete="new-password"
        hint={t(/* of a password */ 'account.newPassword.hint', 'At least 12 characters.')}
        {...fieldIn(form, 'newPassword')}
      />
    </FormDialog>
  );
}
