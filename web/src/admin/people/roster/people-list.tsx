import type { Person } from '@invigil/core/contract/invitations/people';
import { nameOf } from '@invigil/core/domain/people';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Page } from '../../../net/endpoint-query.ts';
import { Button, buttonClasses } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { Card, EmptyState } from '../../../ui/page.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { ListFooter } from '../../../ui/tables/pagination.tsx';
import { Cell, HeadCell, Row, Table, useContainerWidth } from '../../../ui/tables/table.tsx';
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx';
import { people as manyPeople } from '../../data/invitations.ts';
import {
  isNarrowed,
  NO_PEOPLE_FILTER,
  PEOPLE_PER_PAGE,
  type PeopleFilter,
  shownName,
  type usePeople,
} from '../../data/people.ts';
import { LoadFailure } from '../../parts/failures.tsx';

const CARDS_BELOW_PX = 760;

interface Selection {
  /** By address; without it no one can be selected. */
  selected?: ReadonlySet<string>;
  onSelect?(emails: readonly string[], isSelected: boolean): void;
}

/** A page of people; `children` stand above them. */
export function PeopleList({
  filter,
  people,
  onChange,
  children,
  ...selection
}: Selection & {
  filter: PeopleFilter;
  people: ReturnType<typeof usePeople>;
  onChange(next: PeopleFilter): void;
  children: ReactNode;
}) {
  const [container, width] = useContainerWidth();
  const List = width !== null && width < CARDS_BELOW_PX ? PeopleCards : PeopleTable;
  const { data } = people;
  if (people.isError) return <LoadFailure title="Failed to load people" read={people} />;
  return (
    <div ref={container}>
      <Card>
        {data === undefined ? (
          <SkeletonRows>Loading people...</SkeletonRows>
        ) : data.rows.length === 0 ? (
          <NoPeople data={data} filter={filter} onChange={onChange} />
        ) : (
          <div
            aria-busy={people.isPlaceholderData}
            className={people.isPlaceholderData ? 'opacity-60' : ''}
          >
            {children}
            <List rows={data.rows} {...selection} />
          </div>
        )}
        {data !== undefined && data.total > 0 && (
          <ListFooter
            total={manyPeople(data.total)}
            page={filter.page}
            pages={Math.max(1, Math.ceil(data.total / PEOPLE_PER_PAGE))}
            onPage={(page) => onChange({ ...filter, page })}
          />
        )}
      </Card>
    </div>
  );
}

function NoPeople({
  data: { total },
  filter,
  onChange,
}: {
  data: Page<Person>;
  filter: PeopleFilter;
  onChange(next: PeopleFilter): void;
}) {
  if (total > 0) {
    return (
      <EmptyState
        action={<Button onClick={() => onChange({ ...filter, page: 1 })}>First page</Button>}
      >
        This page is now empty.
      </EmptyState>
    );
  }
  if (isNarrowed(filter)) {
    return (
      <EmptyState
        action={<Button onClick={() => onChange(NO_PEOPLE_FILTER)}>Clear filters</Button>}
      >
        No one matches these filters.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      action={
        <Link to="/admin/quizzes" className={buttonClasses('primary', 'admin')}>
          Go to Assessments
        </Link>
      }
    >
      No people yet. Everyone you invite to an assessment is listed here.
    </EmptyState>
  );
}

interface ListProps extends Selection {
  rows: readonly Person[];
}

const LINK =
  'font-medium wrap-anywhere text-ink underline-offset-4 hover:text-accent-ink hover:underline';

function PeopleTable({ rows, ...selection }: ListProps) {
  return (
    <Table label="People">
      <thead>
        <tr>
          <HeadCell>Name</HeadCell>
          <HeadCell>Email</HeadCell>
          <HeadCell>Number</HeadCell>
          <HeadCell>Groups</HeadCell>
        </tr>
      </thead>
      <tbody>
        {rows.map((person) => (
          <Row key={person.id}>
            <Cell className="w-3/10">
              <Selectable person={person} {...selection}>
                <NameLink person={person} />
              </Selectable>
            </Cell>
            <Cell className="wrap-anywhere text-ink-2">
              {nameOf(person) === '' ? '' : person.email}
            </Cell>
            <Cell className="wrap-anywhere text-ink-2">{person.externalId}</Cell>
            <Cell className="w-3/10">
              <Groups of={person.groups} />
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

function PeopleCards({ rows, ...selection }: ListProps) {
  return (
    <ul aria-label="People">
      {rows.map((person) => (
        <li key={person.id} className="border-b border-line px-4 py-3 last:border-b-0">
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
              <Groups of={person.groups} />
            </span>
          </Selectable>
        </li>
      ))}
    </ul>
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
        label={<VisuallyHidden>{`Select: ${shownName(person)}`}</VisuallyHidden>}
        checked={selected.has(email)}
        onChange={(event) => onSelect?.([email], event.target.checked)}
      />
      {children}
    </div>
  );
}

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
        <span className="px-0.5 py-0.5 text-xs text-ink-3" title={of.slice(SHOWN).join(', ')}>
          {`+${more}`}
          <span className="sr-only"> more</span>
        </span>
      )}
    </span>
  );
}
