import { zodResolver } from '@hookform/resolvers/zod';
import { setOwnName } from '@invigil/core/contract/accounts/admins';
import { t } from '@invigil/core/texts/i18n';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useSession } from '../../../lib/person/session.tsx';
import { fillForm } from '../../../lib/typed-since.ts';
import { callEndpoint } from '../../../net/api.ts';
import { Button } from '../../../ui/button.tsx';
import { useUnsaved } from '../../../ui/dialogs/unsaved.ts';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Card } from '../../../ui/page.tsx';
import { toast } from '../../../ui/toast.ts';
import { ADMINS } from '../../data/team.ts';
import { fieldIn, useSubmit } from '../../parts/dialogs.tsx';

export function OwnName() {
  const { account, signedIn } = useSession();
  const client = useQueryClient();
  const form = useForm({
    resolver: zodResolver(setOwnName.body),
    defaultValues: { name: account?.name ?? '' },
  });
  const { isDirty, isSubmitting } = form.formState;
  useUnsaved(isDirty);
  const save = useSubmit(form, {
    failed: t('account.saveNameFailed', 'Failed to save the name'),
    onSubmit: async (body) => {
      const sent = form.getValues();
      const { name } = await callEndpoint(setOwnName, { body });
      fillForm(form, sent, { name });
      if (account !== null) signedIn({ ...account, name });
      toast({ title: t('account.nameSaved', 'Name saved') });
      await client.invalidateQueries({ queryKey: ADMINS.queryKey, exact: true });
    },
  });
  return (
    <Card title={t(/* heading of a card: the reader’s name */ 'portal.name', 'Name')}>
      <form
        noValidate
        onSubmit={(event) => void save(event)}
        className="grid justify-items-start gap-4 px-5 py-4"
      >
        <div className="w-full max-w-104">
          <TextField
            label={t(/* a field */ 'account.name', 'Your name')}
            optional
            autoComplete="name"
            hint={t(
              /* “it”: the reader’s name */ 'account.name.hint',
              'Colleagues see it beside your address. Candidates do not.',
            )}
            {...fieldIn(form, 'name')}
          />
        </div>
        <Button
          type="submit"
          busy={isSubmitting && t(/* on a button */ 'portal.saving', 'Saving…')}
          aria-disabled={!isDirty}
        >
          {t(/* a button */ 'account.saveName', 'Save name')}
        </Button>
      </form>
    </Card>
  );
}
