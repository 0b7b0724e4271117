import type { InvitedPerson } from '@invigil/core/contract/invitations/invitations';
import { emailKey } from '@invigil/core/domain/email-address';
import { type PersonField, TIME_COLUMNS } from '@invigil/core/domain/people';
import { t } from '@invigil/core/texts/i18n';
import { useMemo, useState } from 'react';
import { encodingOptions } from '../../../lib/decode-file.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { usePersonFields } from '../../data/people.ts';
import {
  type CellProblem,
  inputOf,
  type PeopleSheet,
  peopleOf,
  rememberColumns,
  sheetIn,
  withRows,
} from '../sheet/people-sheet.ts';
import { SheetReview } from '../sheet/sheet-review.tsx';
import { listedAddresses } from './invite-addresses.tsx';

interface InvitedList {
  sheet: PeopleSheet;
  /** People by the key of their address. */
  byKey: ReadonlyMap<string, InvitedPerson>;
  /** Addresses are corrected at the box. */
  problems: CellProblem[];
}

/** The people of a list who can be invited with its details, and the problems in the rows of the others. */
function invitedOf(
  sheet: PeopleSheet,
  fields: readonly PersonField[],
  timeZone: string | undefined,
): InvitedList {
  const { people, problems } = peopleOf(sheet, fields, timeZone);
  const wrong = new Set(problems.map(({ row }) => row));
  const byKey = new Map<string, InvitedPerson>();
  for (const [i, person] of people.entries()) {
    if (person.email === '' || wrong.has(i + (sheet.hasHead ? 1 : 0))) continue;
    byKey.set(emailKey(person.email), inputOf(person));
  }
  const emailAt = sheet.columns.indexOf('email');
  const isHere = ({ column, isRepeated }: CellProblem) => column !== emailAt || isRepeated;
  return { sheet, byKey, problems: problems.filter(isHere) };
}

/** The list with corrected addresses. */
function withAddresses(sheet: PeopleSheet, to: ReadonlyMap<string, string>): PeopleSheet {
  const at = sheet.columns.indexOf('email');
  const corrected = (cell: string) => to.get(cell.trim()) ?? cell;
  return withRows(sheet, (row) => row.map((cell, i) => (i === at ? corrected(cell) : cell)));
}

/**
 * Details of people besides the address, from lists that were added to the box.
 *
 * @param timeZone of times in them; undefined: not known yet
 */
export function useListedPeople(timeZone: string | undefined) {
  const fields = usePersonFields();
  const [sheets, setSheets] = useState<readonly PeopleSheet[]>([]);
  const lists = useMemo(
    () => sheets.map((sheet) => invitedOf(sheet, fields, timeZone)),
    [sheets, fields, timeZone],
  );
  return {
    ...{ fields, lists, timeZone },
    hasTimes: sheets.some(({ columns }) => columns.some((use) => TIME_COLUMNS.includes(use))),
    add: (sheet: PeopleSheet) => setSheets((all) => [...all, sheet]),
    /** `null`: only its addresses are used. */
    replace: (from: PeopleSheet, to: PeopleSheet | null) =>
      setSheets((all) => all.flatMap((sheet) => (sheet === from ? (to ?? []) : sheet))),
    /** A corrected address keeps the details of its person. */
    correct: (to: ReadonlyMap<string, string>) =>
      setSheets((all) => all.map((sheet) => withAddresses(sheet, to))),
    knownOf: (email: string): InvitedPerson | undefined =>
      lists.map(({ byKey }) => byKey.get(emailKey(email))).find((one) => one !== undefined),
    /** How many rows have something to correct. */
    wrongRows: lists.reduce(
      (n, { problems }) => n + new Set(problems.map(({ row }) => row)).size,
      0,
    ),
    remember: () => sheets.forEach(rememberColumns),
  };
}

const addressesByKey = (sheet: PeopleSheet) =>
  new Map(listedAddresses(sheet).map((address) => [emailKey(address), address]));

/** The columns of those lists, and their cells to correct. */
export function ListedPeople({
  listed: { lists, fields, timeZone, replace },
  onAddresses,
}: {
  listed: ReturnType<typeof useListedPeople>;
  /**
   * Changes the addresses in the box: removes those no longer in a list, by their keys, and adds new ones.
   */
  onAddresses(gone: ReadonlySet<string>, added: readonly string[]): void;
}) {
  const change = (sheet: PeopleSheet, to: PeopleSheet) => {
    replace(sheet, to);
    const before = addressesByKey(sheet);
    const after = addressesByKey(to);
    const others = lists.filter((other) => other.sheet !== sheet).map((one) => one.sheet);
    const kept = new Set([to, ...others].flatMap((one) => [...addressesByKey(one).keys()]));
    const gone = [...before.keys()].filter((key) => !kept.has(key));
    const added = [...after].flatMap(([key, one]) => (before.has(key) ? [] : one));
    onAddresses(new Set(gone), added);
  };
  return lists.map(({ sheet, problems }, i) => (
    <SheetReview
      // The other lists start again after one is left out: what is typed in them belongs to their place.
      // biome-ignore lint/suspicious/noArrayIndexKey: they have no other name
      key={`${i} of ${lists.length}`}
      sheet={sheet}
      fields={fields}
      timeZone={timeZone}
      problems={problems}
      onSheet={(to) => change(sheet, to)}
    >
      {sheet.encoded && (
        <SelectField
          className="max-w-88"
          label={t('people.list.encoding', 'Text encoding')}
          hint={t(
            'invite.list.encodingHint',
            'If letters with accents look wrong, select another. The list is read again.',
          )}
          options={encodingOptions()}
          value={sheet.encoded.encoding}
          onChange={(encoding) =>
            sheet.encoded && change(sheet, sheetIn({ ...sheet.encoded, encoding }, fields, sheet))
          }
        />
      )}
      <div>
        <Button size="dense" onClick={() => replace(sheet, null)}>
          {t(
            /* a button: leaves out the rest of a list */ 'invite.list.addressesOnly',
            'Use only the addresses',
          )}
        </Button>
      </div>
    </SheetReview>
  ));
}
