import { zodResolver } from '@hookform/resolvers/zod';
import { AdminBody, AdminName } from '@invigil/core/contract/accounts/admins';
import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import { type Grant, ROLES, type Role } from '@invigil/core/domain/rights';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { z } from 'zod';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { useCreateAdmin, usePlaceNames } from '../../data/team.ts';
import { FormDialog, fieldIn } from '../../parts/dialogs.tsx';
import { PlaceField, RoleChoice } from './role-fields.tsx';

const LINK_DAYS = SESSION_LIMITS.setUpLinkMs / 86_400_000;

const Colleague = z.object({
  email: AdminBody.shape.email,
  name: AdminName,
  roles: z
    .array(z.enum(ROLES))
    .min(1, { error: () => t('team.noRole', 'Select at least one role') }),
});

/** @param title of the assessment in which the roles hold */
function inviteText(title?: string): string {
  const how = t(
    'team.invite.how',
    '{days, plural, one {An email brings a link to set a password. It works once and is valid for # day. Someone who is an administrator already gets the roles at once.} other {An email brings a link to set a password. It works once and is valid for # days. Someone who is an administrator already gets the roles at once.}}',
    { days: LINK_DAYS },
  );
  if (title === undefined) return how;
  const where = t(
    /* {assessment} is its title */ 'team.invite.where',
    'The roles hold in {assessment}.',
    { assessment: isolated(title) },
  );
  return `${where} ${how}`;
}

/**
 * Gives a colleague roles. Someone who is no administrator yet becomes one by a link in an email.
 *
 * @param of the assessment; without one, where the roles hold is selected here
 */
export function InviteColleague({
  of,
  onClose,
}: {
  of?: { quizId: string; title: string };
  onClose(): void;
}) {
  const create = useCreateAdmin();
  const names = usePlaceNames();
  const [place, setPlace] = useState<Omit<Grant, 'role'>>(of ? { quizId: of.quizId } : {});
  const form = useForm({
    resolver: zodResolver(Colleague),
    defaultValues: { email: '', name: '', roles: [] as Role[] },
  });
  return (
    <FormDialog
      form={form}
      title={t(/* a button, and the title of its dialog */ 'team.invite', 'Invite a colleague')}
      description={inviteText(of?.title)}
      submitLabel={t(/* a button: invites a colleague */ 'team.invite.button', 'Invite')}
      busyLabel={t(/* on a button */ 'team.inviting', 'Inviting…')}
      failed={t('team.invite.failed', 'Failed to invite')}
      fieldOf={{ ADMIN_EXISTS: 'email' }}
      onClose={onClose}
      onSubmit={async ({ email, name, roles }) => {
        const grants = roles.map((role) => ({ role, ...place }));
        await create.mutateAsync({ email, grants, ...(name === '' ? {} : { name }) });
        return { title: t('team.rolesGiven', 'Roles given'), description: email };
      }}
    >
      <TextField
        label={t(/* a field */ 'portal.email', 'Email')}
        type="email"
        required
        autoComplete="off"
        {...fieldIn(form, 'email')}
      />
      <TextField
        label={t(/* a field: of a person */ 'portal.name', 'Name')}
        optional
        autoComplete="off"
        hint={t(
          /* “it”: the name; “They”: who is invited */ 'team.invite.nameHint',
          'Colleagues see it. They can change it.',
        )}
        {...fieldIn(form, 'name')}
      />
      {of === undefined && <PlaceField names={names} value={place} onChange={setPlace} />}
      <Controller
        control={form.control}
        name="roles"
        render={({ field, fieldState }) => (
          <RoleChoice
            value={field.value}
            onChange={field.onChange}
            error={fieldState.error?.message}
          />
        )}
      />
    </FormDialog>
  );
}
