import { t } from '@invigil/core/texts/i18n';
import type { PersonColumns } from '../../db/queries/seen-people.ts';

/** Columns of a file, behind the others where more than the address is known of anyone. */
export const KNOWN_COLUMNS: [head: () => string, cell: (person: PersonColumns) => string][] = [
  [() => t(/* head of a column */ 'table.givenName', 'Given Name'), ({ givenName }) => givenName],
  [
    () => t(/* head of a column */ 'table.familyName', 'Family Name'),
    ({ familyName }) => familyName,
  ],
  [
    () =>
      t(/* head of a column: numbers of students or employees */ 'table.personNumber', 'Number'),
    ({ externalId }) => externalId ?? '',
  ],
  [
    () => t(/* head of a column: groups of people */ 'table.groups', 'Groups'),
    ({ groups }) => groups.join('; '),
  ],
];
