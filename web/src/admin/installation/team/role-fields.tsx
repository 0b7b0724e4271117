import { type Grant, ROLES, type Role } from '@invigil/core/domain/rights';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { ROLE_WORDS } from '@invigil/core/texts/roles';
import { useId } from 'react';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { FieldNote } from '../../../ui/fields/field.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import type { PlaceNames } from '../../data/role-words.ts';

/** Any number of roles, each with what it means. */
export function RoleChoice({
  value,
  onChange,
  error,
}: {
  value: readonly Role[];
  onChange(roles: Role[]): void;
  error?: string | undefined;
}) {
  const noteId = useId();
  return (
    <fieldset className="grid gap-2.5" aria-describedby={error === undefined ? undefined : noteId}>
      <legend className="mb-2 font-medium">
        {t(/* of an administrator */ 'team.roles', 'Roles')}
      </legend>
      {ROLES.map((role) => (
        <Checkbox
          key={role}
          label={ROLE_WORDS[role].name()}
          hint={ROLE_WORDS[role].sentence()}
          checked={value.includes(role)}
          onChange={({ target }) =>
            onChange(ROLES.filter((one) => (one === role ? target.checked : value.includes(one))))
          }
        />
      ))}
      {error !== undefined && (
        <div role="alert">
          <FieldNote id={noteId} error={error} />
        </div>
      )}
    </fieldset>
  );
}

type Where = Omit<Grant, 'role'>;

/** Everything, a category or an assessment. */
export function PlaceField({
  names,
  value,
  onChange,
}: {
  names: PlaceNames;
  value: Where;
  onChange(place: Where): void;
}) {
  const places: { value: string; label: string; place: Where }[] = [
    {
      value: 'all',
      label: t(
        /* where a role holds: in all assessments and categories */ 'team.place.everything',
        'Everything',
      ),
      place: {},
    },
    ...[...names.categories].map(([categoryId, name]) => ({
      ...{
        value: categoryId,
        label: t(/* where a role holds */ 'team.place.category', 'Category {name}', {
          name: isolated(name),
        }),
        place: { categoryId },
      },
    })),
    ...[...names.quizzes].map(([quizId, title]) => ({
      ...{ value: quizId, label: title, place: { quizId } },
    })),
  ];
  return (
    <SelectField
      label={t(/* where a role holds: in which assessment or category */ 'team.place', 'Where')}
      options={places}
      value={value.quizId ?? value.categoryId ?? 'all'}
      onChange={(next) => onChange(places.find((one) => one.value === next)?.place ?? {})}
    />
  );
}
