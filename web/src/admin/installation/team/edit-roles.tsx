import type { Admin } from '@invigil/core/contract/accounts/admins';
import { type Grant, ROLES, type Role } from '@invigil/core/domain/rights';
import { isolated } from '@invigil/core/domain/typed-text';
import { type FormEvent, useId, useState } from 'react';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../../ui/dialogs/form-footer.tsx';
import { toast } from '../../../ui/toast.ts';
import { grantLines } from '../../data/role-words.ts';
import { showFailure } from '../../data/show-failure.ts';
import { isSamePlace, usePlaceNames, useSetGrants } from '../../data/team.ts';
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
  const formId = useId();
  const save = useSetGrants(admin);
  const names = usePlaceNames();
  const [place, setPlace] = useState<Omit<Grant, 'role'>>(of ? { quizId: of.quizId } : {});
  const [before] = useState(admin.grants);
  const [grants, setGrants] = useState<Grant[]>(before);
  const isHeld = (role: Role) =>
    grants.some((grant) => grant.role === role && isSamePlace(grant, place));
  const change = (roles: Role[]) =>
    setGrants([
      ...grants.filter((grant) => !isSamePlace(grant, place)),
      ...roles.map((role) => ({ role, ...place })),
    ]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(
      { grants, before },
      {
        onSuccess: () => {
          toast({ title: 'Roles saved', description: admin.email });
          onClose();
        },
        onError: (error) => showFailure('Failed to save the roles', error),
      },
    );
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Roles of ${isolated(admin.name || admin.email)}`}
      description={of ? `In ${isolated(of.title)}. They apply at once.` : 'They apply at once.'}
      unsaved={grants !== before && !save.isPending}
      footer={
        <FormFooter formId={formId} busy={save.isPending && 'Saving…'}>
          Save roles
        </FormFooter>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="grid gap-4">
        {of === undefined && (
          <>
            <RoleLines grants={grants} />
            <PlaceField names={names} value={place} onChange={setPlace} />
          </>
        )}
        <RoleChoice value={ROLES.filter(isHeld)} onChange={change} />
      </form>
    </Dialog>
  );
}

/** Roles in words, a line for each place. */
export function RoleLines({ grants }: { grants: readonly Grant[] }) {
  const lines = grantLines(grants, usePlaceNames());
  if (lines.length === 0) return <p className="text-ink-3">No role</p>;
  return (
    <ul className="grid gap-0.5 text-ink-2">
      {lines.map((line) => (
        <li key={line} className="break-words">
          {line}
        </li>
      ))}
    </ul>
  );
}
