import type { InvitedPerson } from '@invigil/core/contract/invitations/invitations';
import { type PersonInput, readPeopleSheet } from '@invigil/core/contract/invitations/people';
import { emailKey, isEmailAddress } from '@invigil/core/domain/email-address';
import { PEOPLE_LIMITS } from '@invigil/core/domain/limits';
import {
  fieldColumn,
  PERSON_COLUMNS,
  type PersonColumn,
  type PersonField,
  type PersonRow,
  readPeople,
  recognizeColumns,
  rowsAboveHead,
  TIME_COLUMNS,
} from '@invigil/core/domain/people';
import { peopleRows } from '@invigil/core/domain/people-text';
import type { Encoding } from '@invigil/core/domain/text-encoding';
import { t } from '@invigil/core/texts/i18n';
import { type RowProblem, rowText } from '@invigil/core/texts/people-rows';
import { z } from 'zod';
import { decodeFile, ENCODING_NAMES } from '../../../lib/decode-file.ts';
import { localKey } from '../../../lib/person/local-keys.ts';
import { callEndpoint, sentenceOf } from '../../../net/api.ts';

/** A list of people as it was pasted or read from a file, and what its columns are taken for. */
export interface PeopleSheet {
  rows: string[][];
  /** The number of each row where the list is from, also once others were left out. */
  numbers: readonly number[];
  columns: PersonColumn[];
  hasHead: boolean;
  /** Whether it can have times of its people: it is a list of people to invite. */
  mayHaveTimes: boolean;
  /** Rows that are left out: titles above the heads, and what gradebooks have below them. */
  above: readonly string[];
  below: readonly string[];
  /** Addresses that are new ones of the people with the numbers beside them, by their keys. */
  newAddresses?: readonly string[];
  /** The bytes of a text file, to read it in another encoding. */
  encoded?: Encoded;
}

interface Encoded {
  bytes: Uint8Array;
  encoding: Encoding;
}

/** A problem in a cell, which can be corrected there. */
export interface CellProblem {
  /** Place in `rows` and in a row; a column that the list lacks is -1. */
  row: number;
  column: number;
  cell: string;
  /** Said in the language of when it is read. */
  readonly message: string;
  /** An address that another row has. */
  isRepeated: boolean;
}

const LABELS: Record<(typeof PERSON_COLUMNS)[number], () => string> = {
  email: () => t(/* a label: the address */ 'portal.email', 'Email'),
  name: () => t('people.field.name', 'Full name'),
  givenName: () => t('people.field.givenName', 'Given name'),
  familyName: () => t('people.field.familyName', 'Family name'),
  externalId: () => t(/* of a student or employee */ 'portal.number', 'Number'),
  groups: () => t(/* of people */ 'people.field.group', 'Group'),
  language: () => t('people.field.language', 'Language'),
  extraTime: () => t('people.field.extraTimePercent', 'Extra time in percent'),
  extraTimeFactor: () => t('people.field.extraTimeFactor', 'Extra time as a factor'),
  opensAt: () => t(/* when an assessment does; a field */ 'assessment.opens.label', 'Opens'),
  endDate: () => t(/* a field */ 'assessment.endDate.label', 'End Date'),
  minutes: () => t(/* a field */ 'assessment.duration.label', 'Duration (minutes)'),
  ignored: () => t(/* said of a column of a list */ 'people.field.notUsed', 'Not used'),
};

/** The uses of a column, in words. */
export const columnOptions = (fields: readonly PersonField[], { mayHaveTimes = false } = {}) => [
  ...PERSON_COLUMNS.filter((column) => mayHaveTimes || !TIME_COLUMNS.includes(column)).map(
    (value): { value: PersonColumn; label: string } => ({
      value,
      label: LABELS[value](),
    }),
  ),
  ...fields.map((field) => ({ value: fieldColumn(field), label: field.name })),
];

/** The uses of columns that a person confirmed, by the head row of the list; the latest lists last. */
const rememberedColumns = localKey('peopleColumns', z.record(z.string(), z.array(z.string())));
const REMEMBERED = 20;

const headOf = ([head = []]: readonly (readonly string[])[]) =>
  head.map((cell) => cell.trim()).join('\t');

/** Stores the uses of columns for the next list with the same head row. */
export function rememberColumns({ rows, columns, hasHead }: PeopleSheet): void {
  if (!hasHead) return;
  const others = Object.entries(rememberedColumns.read() ?? {}).filter(
    ([head]) => head !== headOf(rows),
  );
  rememberedColumns.write(
    Object.fromEntries([...others, [headOf(rows), columns]].slice(-REMEMBERED)),
  );
}

/** A list as text: lines of cells, or names and addresses as copied from a mail program. */
export function sheetOf(
  text: string,
  fields: readonly PersonField[],
  { mayHaveTimes = false } = {},
): PeopleSheet {
  const named = namedAddresses(text)?.map((cells, i) => ({ number: i + 1, cells }));
  const numbered = named ?? peopleRows(text);
  const all = numbered.map(({ cells }) => cells);
  const left = rowsAboveHead(all, fields);
  const second = all[left + 1] ?? [];
  // Canvas exports the points of each column as if they were a person.
  const isOfPoints = second.some((cell) => /^\s*points possible\s*$/i.test(cell));
  const listed = numbered.slice(left).filter(({ cells }) => !(isOfPoints && cells === second));
  const rows = listed.map(({ cells }) => cells);
  const numbers = listed.map(({ number }) => number);
  const textOf = (row: readonly string[]) => row.join(' ').replace(/\s+/g, ' ').trim();
  const above = all.slice(0, left).map(textOf);
  const below = isOfPoints ? [textOf(second)] : [];
  const { columns: found, hasHead } = recognizeColumns(rows, fields);
  const known = new Set<string>(columnOptions(fields, { mayHaveTimes }).map(({ value }) => value));
  const columns = found.map((use) => (known.has(use) ? use : 'ignored'));
  const before = hasHead ? rememberedColumns.read()?.[headOf(rows)] : undefined;
  const isUsable = before?.length === columns.length && before.every((one) => known.has(one));
  const uses = isUsable ? (before as PersonColumn[]) : columns;
  return { rows, numbers, columns: uses, hasHead, mayHaveTimes, above, below };
}

/** A list of a text file, read in this encoding; its columns stay what they are taken for. */
export function sheetIn(
  { bytes, encoding }: Encoded,
  fields: readonly PersonField[],
  { columns, mayHaveTimes }: PeopleSheet,
): PeopleSheet {
  const read = sheetOf(decodeFile(bytes, encoding).text, fields, { mayHaveTimes });
  const isSame = read.columns.length === columns.length;
  return { ...read, ...(isSame ? { columns } : {}), encoded: { bytes, encoding } };
}

/** Whether it says more of anyone than the address. */
export const saysMore = ({ columns }: PeopleSheet): boolean =>
  columns.includes('email') && columns.some((one) => one !== 'email' && one !== 'ignored');

/** `Ada Lovelace <ada@x>; "Turing, Alan" <alan@x>` as rows of name and address; null for another list. */
function namedAddresses(text: string): string[][] | null {
  const rows: string[][] = [];
  let from = 0;
  for (const { 0: found, 1: email = '', index } of text.matchAll(/<([^<>\s@]+@[^<>\s@]+)>/g)) {
    const name = text
      .slice(from, index)
      .replace(/^[\s,;]+/, '')
      .trim();
    from = index + found.length;
    const [, quoted] = /^"([^"]*)"$/.exec(name) ?? [];
    if (quoted === undefined && /[;"\n]/.test(name)) return null;
    rows.push([quoted ?? name, email]);
  }
  const isAll = text.slice(from).trim().replace(/[,;]/g, '') === '';
  return rows.length > 0 && isAll && rows.length === text.split('@').length - 1 ? rows : null;
}

type ListedPerson = PersonRow & { isNewAddress?: boolean };

/**
 * The people of a list, row by row, and what is wrong in its cells.
 *
 * @param timeZone of the times in it, which are not read without one
 */
export function peopleOf(
  { rows, numbers, columns, hasHead, newAddresses = [] }: PeopleSheet,
  fields: readonly PersonField[],
  timeZone?: string,
): { people: ListedPerson[]; problems: CellProblem[] } {
  const first = hasHead ? 1 : 0;
  const read = readPeople(rows.slice(first), columns, fields, timeZone);
  const rowOf = new Map<string, number>();
  const problems = read.flatMap(({ person, problems: wrong }, i) => {
    const row = i + first;
    const at = (column: PersonColumn, problem: RowProblem, isRepeated = false): CellProblem => {
      const place = columns.indexOf(column);
      const cell = rows[row]?.[place] ?? '';
      return {
        ...{ row, column: place, cell, isRepeated },
        get message() {
          return rowText(problem);
        },
      };
    };
    const found = wrong.map(({ column, problem }) => at(column, problem));
    const key = emailKey(person.email);
    const same = rowOf.get(key);
    if (!isEmailAddress(person.email)) return found;
    if (same === undefined) rowOf.set(key, row);
    else {
      const problem = { code: 'address_repeated', row: numbers[same] ?? 0 } as const;
      found.push(at('email', problem, true));
    }
    return found;
  });
  const people = read.map(({ person }) =>
    newAddresses.includes(emailKey(person.email)) ? { ...person, isNewAddress: true } : person,
  );
  return { people, problems };
}

/** A row as it is sent. */
export const inputOf = ({ groups, ...person }: ListedPerson): PersonInput & InvitedPerson => ({
  ...person,
  groups: [...groups],
});

/** The list with other rows; those that have become blank are left out, as they are not read. */
export function withRows(
  sheet: PeopleSheet,
  change: (cells: string[], row: number) => string[],
): PeopleSheet {
  const rows = sheet.rows.map(change);
  const isLeft = (_: unknown, row: number) => rows[row]?.some((cell) => cell.trim() !== '');
  return { ...sheet, rows: rows.filter(isLeft), numbers: sheet.numbers.filter(isLeft) };
}

/** The list in which an address is the new one of the person with the number beside it. */
export const withNewAddress = (sheet: PeopleSheet, email: string): PeopleSheet => ({
  ...sheet,
  newAddresses: [...(sheet.newAddresses ?? []), emailKey(email)],
});

export const withoutRows = (sheet: PeopleSheet, gone: ReadonlySet<number>): PeopleSheet =>
  withRows(sheet, (cells, row) => (gone.has(row) ? [] : cells));

/** The list with another text in a cell; without an address its row is left out. */
export function withCell(
  sheet: PeopleSheet,
  { row, column }: Pick<CellProblem, 'row' | 'column'>,
  text: string,
): PeopleSheet {
  if (text === '' && sheet.columns[column] === 'email') return withoutRows(sheet, new Set([row]));
  const changed = (cells: string[]) =>
    sheet.columns.map((_, at) => (at === column ? text : (cells[at] ?? '')));
  return withRows(sheet, (cells, i) => (i === row ? changed(cells) : cells));
}

/** File types for an input. */
export const LIST_FILES = '.csv,.txt,.xlsx,text/csv,text/plain';

/** A list in a file, as text. */
export interface ListFile {
  text: string;
  /** The bytes of a text file, to read it in another encoding. */
  encoded?: Encoded;
  /** A note on how the file was read. */
  note: { title: string; description: string } | null;
}

const notAList = (): string =>
  t('people.list.notAList', 'Select a CSV or text file, or an Excel workbook (.xlsx).');

class UnreadableList extends Error {}

/** The sentence that says why a file was not read. */
export const whyNotRead = (error: unknown): string =>
  error instanceof UnreadableList ? error.message : sentenceOf(error);

/** Throws UnreadableList, ApiError. */
export async function readListFile(file: File): Promise<ListFile> {
  if (file.size > PEOPLE_LIMITS.importBytes)
    throw new UnreadableList(t('people.list.tooLarge', 'Select a file of at most 8 MiB.'));
  const bytes = new Uint8Array(
    await file.arrayBuffer().catch(() => {
      throw new UnreadableList(notAList());
    }),
  );
  const isArchive = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (isArchive) {
    const { rows, lines, notes } = await callEndpoint(readPeopleSheet, { body: bytes });
    const plain = (cell: string) => {
      // Groups may be on lines of their own.
      const line = cell.replace(/\s*\n\s*/g, '; ').replaceAll('\t', ' ');
      return line.includes('"') ? `"${line.replaceAll('"', '""')}"` : line;
    };
    const title = t(/* said of a list */ 'people.list.fromWorkbook', 'Read from the workbook');
    return {
      text: rows
        .map((row, i) => {
          // Blank rows between them, so that each is in the line that is its number.
          const breaks = i === 0 ? (lines[0] ?? 1) - 1 : (lines[i] ?? 0) - (lines[i - 1] ?? 0);
          return '\n'.repeat(Math.max(i === 0 ? 0 : 1, breaks)) + row.map(plain).join('\t');
        })
        .join(''),
      note: notes.length === 0 ? null : { title, description: notes.join(' ') },
    };
  }
  const { text, encoding } = decodeFile(bytes);
  // A picture has zero bytes.
  if (bytes.length === 0 || /[\0\uFFFD]/.test(text)) throw new UnreadableList(notAList());
  const description = t('people.list.checkLetters', 'Check addresses with letters beyond a to z.');
  const title = t(
    /* past: a file was read; {encoding}: 'Windows-1252' */ 'people.list.readAs',
    'Read as {encoding}',
    { encoding: ENCODING_NAMES[encoding] },
  );
  const note = encoding === 'utf-8' ? null : { title, description };
  return { text, encoded: { bytes, encoding }, note };
}
