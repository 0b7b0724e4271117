import type { BodyOf } from '@invigil/core/contract/definition/endpoint';
import type { inviteToQuiz } from '@invigil/core/contract/invitations/invitations';
import { emailKey } from '@invigil/core/domain/email-address';
import {
  PERSON_COLUMNS,
  type PersonColumn,
  readPeople,
  recognizeColumns,
} from '@invigil/core/domain/people';
import { peopleRows } from '@invigil/core/domain/people-text';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';

/** A list of people as it was pasted or read from a file, and what its columns are taken for. */
export interface PeopleSheet {
  rows: string[][];
  columns: PersonColumn[];
  hasHead: boolean;
}

export type InvitedPerson = NonNullable<BodyOf<typeof inviteToQuiz>['people']>[number];

/** `null` for a list that has nothing but addresses. */
export function peopleSheetOf(text: string): PeopleSheet | null {
  const rows = peopleRows(text);
  const { columns, hasHead } = recognizeColumns(rows);
  const hasMore = columns.some((column) => column !== 'email' && column !== 'ignored');
  return columns.includes('email') && hasMore ? { rows, columns, hasHead } : null;
}

/** People of a list by the key of their address, and what is wrong with rows. */
export function peopleOf({ rows, columns, hasHead }: PeopleSheet): {
  byKey: Map<string, InvitedPerson>;
  problems: string[];
} {
  const byKey = new Map<string, InvitedPerson>();
  const problems: string[] = [];
  for (const { person, problems: wrong } of readPeople(rows.slice(hasHead ? 1 : 0), columns)) {
    const other = wrong.filter(({ column }) => column !== 'email');
    for (const { column, message } of other) {
      problems.push(`${person.email}: ${LABELS[column]}: ${message}`);
    }
    const key = emailKey(person.email);
    if (byKey.has(key))
      problems.push(`${person.email}: Several rows have this address. The first is used.`);
    if (person.email === '' || other.length > 0 || byKey.has(key)) continue;
    const { extraTime, groups, ...details } = person;
    const hasTime = columns.includes('extraTime');
    byKey.set(key, {
      ...details,
      groups: [...groups],
      ...(hasTime ? { extraTime } : {}),
    });
  }
  return { byKey, problems };
}

const LABELS: Record<PersonColumn, string> = {
  email: 'Email',
  name: 'Full name',
  givenName: 'Given name',
  familyName: 'Family name',
  externalId: 'Number',
  groups: 'Group',
  language: 'Language',
  extraTime: 'Extra time in percent',
  ignored: 'Not used',
};

/** What the columns of a pasted list are taken for, to be confirmed or changed. */
export function PeopleColumns({
  sheet,
  problems,
  onSheet,
}: {
  sheet: PeopleSheet;
  problems: readonly string[];
  onSheet(sheet: PeopleSheet | null): void;
}) {
  const { rows, columns, hasHead } = sheet;
  const [example = []] = rows.slice(hasHead ? 1 : 0);
  const known = columns.flatMap((column, i) =>
    column === 'ignored' || column === 'email' ? [] : `${LABELS[column]}: column ${i + 1}`,
  );
  return (
    <section
      aria-label="Columns of the list"
      className="grid gap-3 rounded-lg bg-sunken px-4 py-3.5"
    >
      <p>{known.length === 0 ? 'Only the addresses are used.' : `${known.join(', ')}. Right?`}</p>
      <div className="grid gap-3 sm:grid-cols-2">
        {columns.map((column, i) => (
          <SelectField
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is identified by its place
            key={i}
            label={`Column ${i + 1}${example[i] ? `: ${example[i].slice(0, 40)}` : ''}`}
            value={column}
            options={PERSON_COLUMNS.map((value) => ({ value, label: LABELS[value] }))}
            onChange={(value: PersonColumn) =>
              onSheet({
                ...sheet,
                // One column each, but groups.
                columns: columns.map((other, at) =>
                  at === i ? value : other === value && value !== 'groups' ? 'ignored' : other,
                ),
              })
            }
          />
        ))}
      </div>
      {problems.length > 0 && (
        <ul className="list-disc pl-5 text-sm text-warn-ink">
          {problems.slice(0, 10).map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
          {problems.length > 10 && <li>{`and ${problems.length - 10} more`}</li>}
        </ul>
      )}
      <div>
        <Button size="dense" onClick={() => onSheet(null)}>
          Use only the addresses
        </Button>
      </div>
    </section>
  );
}
