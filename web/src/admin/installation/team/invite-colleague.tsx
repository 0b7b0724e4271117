import { zodResolver } from '@hookform/resolvers/zod';
import { AdminBody, AdminName } from '@invigil/core/contract/accounts/admins';
import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import { type Grant, ROLES, type Role } from '@invigil/core/domain/rights';
import { isolated } from '@invigil/core/domain/typed-text';
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
  roles: z.array(z.enum(ROLES)).min(1, 'Select at least one role'),
});

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
      title="Invite a colleague"
      description={`${of ? `The roles hold in ${isolated(of.title)}. ` : ''}An email brings a link to set a password. It works once and is valid for ${LINK_DAYS} days. Someone who is an administrator already gets the roles at once.`}
      submitLabel="Invite"
      busyLabel="Inviting…"
      failed="Failed to invite"
      fieldOf={{ ADMIN_EXISTS: 'email' }}
      onClose={onClose}
      onSubmit={async ({ email, name, roles }) => {
        const grants = roles.map((role) => ({ role, ...place }));
        await create.mutateAsync({ email, grants, ...(name === '' ? {} : { name }) });
        return { title: 'Roles given', description: email };
      }}
    >
      <TextField
        label="Email"
        type="email"
        required
        autoComplete="off"
        {...fieldIn(form, 'email')}
      />
      <TextField
        label="Name"
        optional
        autoComplete="off"
        hint="Colleagues see it. They can change it."
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
