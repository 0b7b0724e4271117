import { type AddressProblem, isEmailAddress, readableEmail } from './email-address.ts';
import { PEOPLE_LIMITS } from './limits.ts';
import { unguardAll } from './spreadsheet-guard.ts';
import { foldCase, isVisible } from './typed-text.ts';

/** Details of a person besides the address. All of them are optional; one-name people have a given name. */
export interface PersonDetails {
  givenName: string;
  familyName: string;
  /** Student or employee number. */
  externalId: string;
  groups: readonly string[];
  /** BCP 47, such as `de` or `pt-BR`. */
  language: string;
  /** Values of the installation's own fields, by their id; none is empty. */
  fields: Readonly<Record<string, string>>;
}

export const FIELD_KINDS = ['text', 'number', 'date', 'choice'] as const;

/** A field that an installation has for its people, such as a campus or an intake. */
export interface PersonField {
  id: string;
  /** Also the head of its column in lists. */
  name: string;
  kind: (typeof FIELD_KINDS)[number];
  /** The values of a field of the kind `choice`; else empty. */
  choices: string[];
  /** Says who someone is: reports without names leave it out. */
  isPersonal: boolean;
}

/** A problem of the value of a field; core/src/texts/people-rows.ts has the words. */
export type FieldProblem =
  | { code: 'not_number' | 'not_date' }
  | { code: 'not_choice'; choices: readonly string[] };

/** A problem of a cell in a list of people. */
export type CellProblem =
  | FieldProblem
  | AddressProblem
  | { code: 'no_email' | 'too_long' | 'not_visible' }
  | { code: 'not_percentage' | 'not_language' | 'too_many_groups' };

/** Reads a typed value of a field: the value to store, and what is wrong with it. Empty is always allowed. */
export function readField(
  { kind, choices }: Pick<PersonField, 'kind' | 'choices'>,
  typed: string,
): { value: string; problem?: FieldProblem } {
  const value = typed.trim();
  if (value === '') return { value };
  switch (kind) {
    case 'text':
      return { value };
    case 'number': {
      const plain = value.replace(',', '.');
      return /^[+-]?\d+(?:\.\d+)?$/.test(plain)
        ? { value: plain }
        : { value, problem: { code: 'not_number' } };
    }
    case 'date': {
      const [, d = '', m = '', y = ''] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(value) ?? [];
      const date = y === '' ? value : `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`;
      return isDate(date) ? { value: date } : { value, problem: { code: 'not_date' } };
    }
    case 'choice': {
      const chosen = choices.find((choice) => foldCase(choice) === foldCase(value));
      return chosen === undefined
        ? { value, problem: { code: 'not_choice', choices } }
        : { value: chosen };
    }
  }
}

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) && text.length === 10;
}

/** Chinese, Korean and Japanese names. */
const FAMILY_FIRST = /^[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}々]+$/u;

/** 'Ada Lovelace', '王小明', in the order in which a name is said; empty where none is known. */
export const nameOf = ({
  givenName,
  familyName,
}: Pick<PersonDetails, 'givenName' | 'familyName'>): string =>
  FAMILY_FIRST.test(givenName) && FAMILY_FIRST.test(familyName)
    ? familyName + givenName
    : [givenName, familyName].filter((part) => part !== '').join(' ');

/** The name for an answer; nothing where none is known. */
export function userNameOf(person: Pick<PersonDetails, 'givenName' | 'familyName'>): {
  userName?: string;
} {
  const userName = nameOf(person);
  return userName === '' ? {} : { userName };
}

/** The details of a person that are shown besides the address; nothing where nothing is known. */
export function knownOf(
  person: Pick<PersonDetails, 'givenName' | 'familyName' | 'groups' | 'fields'> & {
    externalId: string | null;
  },
): { userName?: string; externalId?: string; groups?: string[]; fields?: Record<string, string> } {
  const { externalId, groups, fields } = person;
  return {
    ...userNameOf(person),
    ...(externalId === null ? {} : { externalId }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
  };
}

/**
 * Brings a text about a person into the one form in which it is stored: letters composed, white space single.
 * An apostrophe that keeps a spreadsheet from running a cell is not part of it.
 */
export const personText = (text: string): string =>
  unguardAll(text.normalize('NFC').replace(/\s+/gu, ' ').trim());

/** Separates the groups of a cell; no name of a group has one. */
const BETWEEN_GROUPS = /[;|\n]/;

/** The groups of a cell, as they are stored. A Greek question mark is a semicolon once it is composed. */
export const groupsIn = (cell: string): string[] =>
  cell
    .normalize('NFC')
    .split(BETWEEN_GROUPS)
    .map(personText)
    .filter((group) => group !== '');

export const isGroupName = (text: string): boolean => text !== '' && !BETWEEN_GROUPS.test(text);

/** The uses of a column in a list of people. */
export const PERSON_COLUMNS = [
  ...(['email', 'name', 'givenName', 'familyName', 'externalId', 'groups', 'language'] as const),
  ...(['extraTime', 'ignored'] as const),
] as const;
/** One of those, or a field of the installation's own. */
export type PersonColumn = (typeof PERSON_COLUMNS)[number] | `field ${string}`;
export const fieldColumn = ({ id }: Pick<PersonField, 'id'>): PersonColumn => `field ${id}`;

/** A person as a row of a list has them; `extraTime` in percent, absent where its cell is empty. */
export interface PersonRow extends PersonDetails {
  email: string;
  extraTime?: number;
}

/** A row, and what is wrong with its cells; without an address it can be matched by its number only. */
export interface ReadPerson {
  person: PersonRow;
  problems: { column: PersonColumn; problem: CellProblem }[];
}

/** Heads of columns as people write them, in several languages, folded. */
const HEADS: Record<Exclude<(typeof PERSON_COLUMNS)[number], 'ignored'>, string> = {
  email:
    'email|e mail|mail|email address|e mail address|e mail adresse|mailadresse|adresse e mail|courriel|correo|correo electronico|posta elettronica',
  name: 'name|full name|fullname|display name|student|student name|candidate|participant|person',
  givenName:
    'first name|firstname|given name|given names|givenname|forename|vorname|vornamen|prenom|nombre|nome|fornavn|fornamn|imie|jmeno',
  familyName:
    'last name|lastname|family name|familyname|surname|nachname|familienname|nom|nom de famille|apellido|apellidos|cognome|etternavn|efternavn|efternamn|nazwisko|prijmeni',
  externalId:
    'id|number|no|nr|student id|student number|student no|employee id|employee number|personnel number|registration number|matriculation number|matrikelnummer|matrikel nr|matrikelnr|personalnummer|external id|numero|numero etudiant|matricula|idnumber|id number',
  groups:
    'group|groups|class|course|cohort|section|team|department|gruppe|gruppen|klasse|kurs|abteilung|groupe|groupes|classe|grupo|grupos',
  language: 'language|lang|sprache|langue|idioma|lingua',
  extraTime:
    'extra time|extra time percent|time extension|additional time|zeitverlangerung|zeitzuschlag|nachteilsausgleich|tiers temps|tiempo adicional',
};

const COLUMN_OF = new Map(
  Object.entries(HEADS).flatMap(([column, heads]) =>
    heads.split('|').map((head) => [head, column as PersonColumn] as const),
  ),
);

/** The head row of an export; an import recognizes it. */
export const PEOPLE_HEAD = [
  ...['Email', 'Given name', 'Family name', 'Number', 'Groups', 'Language'],
];

/** Why the names of an installation's own fields cannot be used: each needs a column of its own in a list. */
export function whyNotFieldNames(names: readonly string[]): string | null {
  const heads = names.map(folded);
  if (heads.includes('')) return 'Enter a name with letters or digits';
  const isTaken = heads.some((head) => PEOPLE_HEAD.some((other) => folded(other) === head));
  if (isTaken) return `Other names than ${PEOPLE_HEAD.join(', ')}`;
  return new Set(heads).size < heads.length ? 'Every field needs a name of its own' : null;
}

const folded = (head: string) =>
  foldCase(head)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Rows that are looked at to see what a column holds. */
const LOOKED_AT = 50;

/**
 * Recognizes the use of each column in a list of people: by its head row where it has one, else by its
 * values. A person confirms or changes it.
 */
export function recognizeColumns(
  rows: readonly (readonly string[])[],
  fields: readonly PersonField[] = [],
): {
  columns: PersonColumn[];
  hasHead: boolean;
} {
  const own = new Map(fields.map((field) => [folded(field.name), fieldColumn(field)]));
  const width = Math.max(0, ...rows.map((row) => row.length));
  const head = rows[0] ?? [];
  const named = Array.from({ length: width }, (_, i) => {
    const name = folded(head[i] ?? '');
    return own.get(name) ?? COLUMN_OF.get(name);
  });
  const hasHead = named.some(Boolean) && !head.some((cell) => isEmailAddress(cell.trim()));
  const columns: PersonColumn[] = [];
  const body = rows.slice(hasHead ? 1 : 0, LOOKED_AT);
  for (let i = 0; i < width; i += 1) {
    const cells = body.map((row) => (row[i] ?? '').trim()).filter((cell) => cell !== '');
    const found = hasHead ? named[i] : byContent(cells, columns);
    const isTaken = found !== undefined && found !== 'groups' && columns.includes(found);
    columns.push(found === undefined || isTaken ? 'ignored' : found);
  }
  // “Name, Vorname”: beside given names that it does not have, it has the family names.
  const [name, given] = [columns.indexOf('name'), columns.indexOf('givenName')];
  const wordsAt = (row: readonly string[], at: number) =>
    new Set(
      folded(row[at] ?? '')
        .split(' ')
        .filter(Boolean),
    );
  const both = body
    .map((row) => ({ whole: wordsAt(row, name), part: wordsAt(row, given) }))
    .filter(({ whole, part }) => whole.size > 0 && part.size > 0);
  const having = both.filter(({ whole, part }) => [...part].every((word) => whole.has(word)));
  if (!columns.includes('familyName') && having.length < both.length / 2) {
    columns[name] = 'familyName';
  }
  return { columns, hasHead };
}

function byContent(cells: string[], known: PersonColumn[]): PersonColumn | undefined {
  if (cells.length === 0) return undefined;
  const most = (test: (cell: string) => boolean) => cells.filter(test).length > cells.length / 2;
  const isRepeated = new Set(cells).size <= cells.length / 2;
  if (most(isEmailAddress)) return 'email';
  if (most((cell) => /^\+?\d{1,3}(?:[.,]\d)? ?%$/.test(cell))) return 'extraTime';
  if (isRepeated && cells.length > 2) return 'groups';
  if (most((cell) => /^\p{L}{0,3}[-/ ]?\d[\d\p{L}./-]{2,}$/u.test(cell))) return 'externalId';
  if (!most((cell) => /^[\p{L}\p{M}][\p{L}\p{M}'’.\- ,]*$/u.test(cell))) return undefined;
  if (most((cell) => /[ ,]/.test(cell))) return 'name';
  // Two columns of single words are a given and a family name, in this order.
  return known.includes('givenName') ? 'familyName' : 'givenName';
}

/** People of rows whose columns are known. Empty rows are left out. */
export function readPeople(
  rows: readonly (readonly string[])[],
  columns: readonly PersonColumn[],
  fields: readonly PersonField[] = [],
): ReadPerson[] {
  return rows
    .filter((row) => row.some((cell) => cell.trim() !== ''))
    .map((row) => readPerson(row, columns, fields));
}

function readPerson(
  row: readonly string[],
  columns: readonly PersonColumn[],
  fields: readonly PersonField[],
): ReadPerson {
  const problems: ReadPerson['problems'] = [];
  const add = (column: PersonColumn, problem: CellProblem) => problems.push({ column, problem });
  const cellOf = (column: PersonColumn) => {
    const at = columns.indexOf(column);
    const cell = personText(at < 0 ? '' : (row[at] ?? ''));
    if (column !== 'email') requireStorable(column, cell);
    return cell;
  };
  const requireStorable = (column: PersonColumn, cell: string) => {
    if (cell.length > PEOPLE_LIMITS.textMaxCharacters) add(column, { code: 'too_long' });
    if (!isVisible(cell)) add(column, { code: 'not_visible' });
  };
  const [given, family] = partsOfName(cellOf('name'));
  // Copied addresses bring invisible characters with them.
  const email = readableEmail(cellOf('email').replace(/\p{Cf}/gu, ''));
  const externalId = cellOf('externalId');
  if (email !== '' && !isEmailAddress(email)) add('email', { code: 'not_email' });
  if (email === '' && externalId === '') add('email', { code: 'no_email' });
  const groups = row.flatMap((cell, i) => (columns[i] === 'groups' ? groupsIn(cell) : []));
  for (const group of groups) requireStorable('groups', group);
  const percent = cellOf('extraTime');
  const extraTime = percentOf(percent);
  const isTime = extraTime >= 0 && extraTime <= PEOPLE_LIMITS.extraTimeMaxPercent;
  if (percent !== '' && !isTime) add('extraTime', { code: 'not_percentage' });
  const language = cellOf('language');
  if (language !== '' && !isLanguage(language)) add('language', { code: 'not_language' });
  const own = fields.flatMap((field): [string, string][] => {
    const { value, problem } = readField(field, cellOf(fieldColumn(field)));
    if (problem !== undefined) add(fieldColumn(field), problem);
    return value === '' ? [] : [[field.id, value]];
  });
  const person = {
    email,
    givenName: cellOf('givenName') || given,
    familyName: cellOf('familyName') || family,
    externalId,
    groups: [...new Set(groups)],
    language,
    fields: Object.fromEntries(own),
    ...(percent !== '' && isTime ? { extraTime } : {}),
  };
  if (person.groups.length > PEOPLE_LIMITS.groupsMax) add('groups', { code: 'too_many_groups' });
  return { person, problems };
}

/**
 * A name in one cell: 'Family, Given', or the last word as the family name. One word is a given name:
 * names of one part have no other.
 */
function partsOfName(name: string): [given: string, family: string] {
  const [family = '', ...given] = name.split(',').map((part) => part.trim());
  if (given.length > 0) return [given.join(' '), family];
  const words = family.split(' ');
  return words.length < 2 ? [family, ''] : [words.slice(0, -1).join(' '), words.at(-1) ?? ''];
}

/** `25`, `+33,5 %`; NaN for anything else. */
function percentOf(text: string): number {
  const [, digits] = /^\+? ?(\d+(?:[.,]\d+)?) ?%?$/.exec(text) ?? [];
  return digits === undefined ? Number.NaN : Number(digits.replace(',', '.'));
}

/** Whether it has the form of a language tag. */
export const isLanguage = (text: string): boolean =>
  /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(text);
