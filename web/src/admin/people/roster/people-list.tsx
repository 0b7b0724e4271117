import type { Person } from '@invigil/core/contract/invitations/people';
import { listText } from '@invigil/core/domain/locale';
import { nameOf } from '@invigil/core/domain/people';
import { t } from '@invigil/core/texts/i18n';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { Trans } from '../../../ui/trans.tsx';
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx';
import { shownName } from '../../data/people.ts';
import { type Column, Rows } from '../../list/list.tsx';

const LINK =
  'font-medium wrap-anywhere text-ink underline-offset-4 hover:text-accent-ink hover:underline';

interface Selection {
  /** Selected addresses; no one can be selected if it is absent. */
  selected?: ReadonlySet<string>;
  onSelect?(emails: readonly string[], isSelected: boolean): void;
}

/** The people of a page. */
export function PeopleRows({
  rows,
  asCards,
  ...selection
}: Selection & { rows: readonly Person[]; asCards: boolean }) {
  const columns: readonly Column<Person>[] = [
    {
      head: t(/* of people */ 'portal.name', 'Name'),
      cellClass: 'w-3/10',
      cell: (person) => (
        <Selectable person={person} {...selection}>
          <NameLink person={person} />
        </Selectable>
      ),
    },
    {
      head: t(/* a label: the address */ 'portal.email', 'Email'),
      cellClass: 'wrap-anywhere text-ink-2',
      cell: (person) => (nameOf(person) === '' ? '' : person.email),
    },
    {
      head: t(/* of a student or employee */ 'portal.number', 'Number'),
      cellClass: 'wrap-anywhere text-ink-2',
      cell: (person) => person.externalId,
    },
    {
      head: t(/* of people */ 'people.field.groups', 'Groups'),
      cellClass: 'w-3/10',
      cell: (person) => <Groups of={labelsOf(person)} />,
    },
  ];
  return (
    <Rows
      label={t('portal.people', 'People')}
      rows={rows}
      columns={asCards ? [] : columns}
      asCards={asCards}
      cardHead={(person) => (
        <Selectable person={person} {...selection}>
          <span className="grid min-w-0 gap-1">
            <span className="grid justify-items-start touch:-mb-3">
              <NameLink person={person} />
            </span>
            {nameOf(person) !== '' && (
              <span className="text-sm wrap-anywhere text-ink-2">{person.email}</span>
            )}
            {person.externalId !== '' && (
              <span className="text-sm wrap-anywhere text-ink-2">{person.externalId}</span>
            )}
            <Groups of={labelsOf(person)} />
          </span>
        </Selectable>
      )}
    />
  );
}

function NameLink({ person }: { person: Person }) {
  return (
    <Link to={`/admin/people/${person.id}`} className={`${LINK} touch:py-3`}>
      <bdi>{shownName(person)}</bdi>
    </Link>
  );
}

/** The box stands beside the name, which is a link. */
function Selectable({
  person,
  selected,
  onSelect,
  children,
}: Selection & { person: Person; children: ReactNode }) {
  const { email } = person;
  if (selected === undefined || email === null) return children;
  return (
    <div className="flex items-start">
      <Checkbox
        label={
          <VisuallyHidden>
            {t(/* {name}: of a person */ 'people.list.select', 'Select: {name}', {
              name: shownName(person),
            })}
          </VisuallyHidden>
        }
        checked={selected.has(email)}
        onChange={(event) => onSelect?.([email], event.target.checked)}
      />
      {children}
    </div>
  );
}

/** Extra time, which matters in every assessment, and the groups. */
const labelsOf = ({ extraTime, groups }: Person) =>
  extraTime === 0 ? groups : [timeText(extraTime), ...groups];

/** `+25 % time` */
export const timeText = (percent: number): string =>
  t(/* extra time */ 'people.extraTime.label', '+{percent} % time', { percent });

const SHOWN = 3;

/** The first few; the others are counted. */
function Groups({ of }: { of: readonly string[] }) {
  if (of.length === 0) return null;
  const more = of.length - SHOWN;
  return (
    <span className="flex flex-wrap gap-1">
      {of.slice(0, SHOWN).map((group) => (
        <bdi
          key={group}
          className="max-w-full rounded-sm bg-fill px-1.5 py-0.5 text-xs wrap-anywhere text-ink-2"
        >
          {group}
        </bdi>
      ))}
      {more > 0 && (
        <span
          className="px-0.5 py-0.5 text-xs text-ink-3"
          title={listText(of.slice(SHOWN), 'unit')}
        >
          <Trans
            id="people.list.moreGroups"
            comment="<hidden> is only heard, not seen"
            message="{count, plural, one {+#<hidden> more</hidden>} other {+#<hidden> more</hidden>}}"
            values={{ count: more }}
            components={{ hidden: <span className="sr-only" /> }}
          />
        </span>
      )}
    </span>
  );
}
