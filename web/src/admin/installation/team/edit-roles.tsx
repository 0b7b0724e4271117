import type { Admin } from '@invigil/core/contract/accounts/admins';
import { type Grant, ROLES, type Role } from '@invigil/core/domain/rights';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { grantLines } from '../../data/role-words.ts';
import { isSamePlace, usePlaceNames, useSetGrants } from '../../data/team.ts';
import { FormDialog } from '../../parts/dialogs.tsx';
import { PlaceField, RoleChoice } from './role-fields.tsx';

/** @param of the assessment whose roles are given and taken; without one, those of any place */
export function EditRoles({
  admin,
  of,
  onClose,
}: {
  admin: Admin;
  of?: { quizId: string; title: string };
  onClose(): void;
}) {
  const save = useSetGrants(admin);
  const names = usePlaceNames();
  const [place, setPlace] = useState<Omit<Grant, 'role'>>(of ? { quizId: of.quizId } : {});
  const [before] = useState(admin.grants);
  const form = useForm({ defaultValues: { grants: before } });
  const grants = form.watch('grants');
  const isHeld = (role: Role) =>
    grants.some((grant) => grant.role === role && isSamePlace(grant, place));
  const change = (roles: Role[]) =>
    form.setValue(
      'grants',
      [
        ...grants.filter((grant) => !isSamePlace(grant, place)),
        ...roles.map((role) => ({ role, ...place })),
      ],
      { shouldDirty: true },
    );
  return (
    <FormDialog
      form={form}
      title={t('team.rolesOf', 'Roles of {person}', {
        person: isolated(admin.name || admin.email),
      })}
      description={
        of
          ? t(
              /* {assessment} is its title; “They”: roles */ 'team.rolesIn',
              'In {assessment}. They apply at once.',
              { assessment: isolated(of.title) },
            )
          : t(/* “They”: roles */ 'team.rolesApply', 'They apply at once.')
      }
      submitLabel={t(/* a button */ 'team.saveRoles', 'Save roles')}
      busyLabel={t(/* on a button */ 'portal.saving', 'Saving…')}
      failed={t('team.saveRolesFailed', 'Failed to save the roles')}
      onClose={onClose}
      onSubmit={async ({ grants }) => {
        await save.mutateAsync({ grants, before });
        return { title: t('team.rolesSaved', 'Roles saved'), description: admin.email };
      }}
    >
      {of === undefined && (
        <>
          <RoleLines grants={grants} />
          <PlaceField names={names} value={place} onChange={setPlace} />
        </>
      )}
      <RoleChoice value={ROLES.filter(isHeld)} onChange={change} />
    </FormDialog>
  );
}

/** Roles in words, a line for each place. */
export function RoleLines({ grants }: { grants: readonly Grant[] }) {
  const lines = grantLines(grants, usePlaceNames());
  if (lines.length === 0) return <p className="text-ink-3">{t('team.withoutRole', 'No role')}</p>;
  return (
    <ul className="grid gap-0.5 text-ink-2">
      {lines.map((line) => (
        <li key={line} className="wrap-anywhere">
          {line}
        </li>
      ))}
    </ul>
  );
}
