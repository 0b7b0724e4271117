import { t } from '../texts/i18n.ts';
import { type AddressProblem, isEmailAddress, readableEmail } from './email-address.ts';
import { PEOPLE_LIMITS, QUIZ_LIMITS } from './limits.ts';
import { readTime, type TimeProblem } from './local-time.ts';
import { listText } from './locale.ts';
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
  | { code: 'not_percentage' | 'not_language' | 'too_many_groups' | 'shortened' }
  | { code: TimeProblem | 'opens_too_late' | 'not_minutes' }
  /** A number that could be a factor as well; `percent`: what it gives as one. */
  | { code: 'factor_or_percent'; typed: string; percent: number };

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
      // A spreadsheet adds midnight to the dates of some columns.
      const typed = value.replace(/ 00:00(?::00)?$/, '');
      const date = y === '' ? typed : `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`;
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
  ...(['extraTime', 'extraTimeFactor', 'opensAt', 'endDate', 'minutes', 'ignored'] as const),
] as const;
/** Columns about the times of an assessment, which only a list of people to invite can have. */
export const TIME_COLUMNS: readonly PersonColumn[] = ['opensAt', 'endDate', 'minutes'];
/** One of those, or a field of the installation's own. */
export type PersonColumn = (typeof PERSON_COLUMNS)[number] | `field ${string}`;
export const fieldColumn = ({ id }: Pick<PersonField, 'id'>): PersonColumn => `field ${id}`;

/**
 * A person as a row of a list has them; absent where its cell is empty: `extraTime` in percent, and of a list of
 * people to invite their own times, as ISO 8601, and minutes.
 */
export interface PersonRow extends PersonDetails {
  email: string;
  extraTime?: number;
  opensAt?: string;
  endDate?: string;
  minutes?: number;
}

/** A row, and what is wrong with its cells; without an address it can be matched by its number only. */
export interface ReadPerson {
  person: PersonRow;
  problems: { column: PersonColumn; problem: CellProblem }[];
}

/** Heads of columns as people write them, in several languages, folded. */
const HEADS: Record<
  Exclude<(typeof PERSON_COLUMNS)[number], 'extraTimeFactor' | 'ignored'>,
  string
> = {
  email:
    'email|e mail|mail|email address|e mail address|e mail adresse|mailadresse|adresse e mail|courriel|correo|correo electronico|posta elettronica|e post|eposta|e posta|sis login id|login id|почта|эл почта|электронная почта|адрес электронной почты|邮箱|电子邮件|电子邮箱|メールアドレス|メール|이메일|البريد الإلكتروني|דואל',
  name: 'name|full name|fullname|display name|student|student name|candidate|participant|person|naam|navn|namn|nimi|ad soyad|adi soyadi|фио|имя и фамилия|姓名|氏名|名前|성명|이름|الاسم|שם מלא',
  givenName:
    'first name|firstname|given name|given names|givenname|forename|vorname|vornamen|first name s|prenom|nombre|nombres|nome|voornaam|fornavn|fornamn|etunimi|imie|jmeno|ad|adi|имя|ім’я|名|名字|الاسم الأول|שם פרטי',
  familyName:
    'last name|lastname|family name|familyname|surname|nachname|familienname|nom|nom de famille|surname s|last name s|apellido|apellidos|sobrenome|apelido|cognome|achternaam|etternavn|efternavn|efternamn|sukunimi|nazwisko|prijmeni|soyad|soyadi|фамилия|прізвище|姓|姓氏|اسم العائلة|שם משפחה',
  externalId:
    'id|number|no|nr|student id|student number|student no|employee id|employee number|personnel number|registration number|matriculation number|matrikelnummer|matrikel nr|matrikelnr|personalnummer|external id|numero|numero etudiant|matricula|numero de matricula|idnumber|id number|student id number|sid|sis user id|sis id|studentnummer|studentennummer|leerlingnummer|ogrenci no|ogrenci numarasi|numer albumu|номер|номер студенческого|学号|学籍番号|学生番号|학번|الرقم الجامعي|מספר סטודנט',
  groups:
    'group|groups|class|course|cohort|section|team|department|gruppe|gruppen|klasse|kurs|abteilung|groupe|groupes|classe|grupo|grupos|seminar group|seminar|tutorial group|tutorial|exam group|turma|groep|klas|sinif|grup|группа|класс|班级|組|クラス|반|المجموعة|קבוצה',
  language: 'language|lang|sprache|langue|idioma|lingua',
  extraTime:
    'extra time|extra time percent|extra time factor|time factor|time multiplier|extra time multiplier|time extension|additional time|zeitverlangerung|zeitzuschlag|nachteilsausgleich|tiers temps|tiempo adicional',
  opensAt:
    'opens|opens at|opening|opening time|start|starts|starts at|start time|begin|begins|beginn|startzeit|offnet|offnung|ouvre|ouverture|debut|heure de debut|abre|apertura|inicio|hora de inicio|abertura|apre|inizio|opent|starttijd|acilis|baslangic|başlangıç|открытие|начало|开放时间|开始时间|开始|開始|開始時間|開始日時|시작|시작 시간|يفتح|وقت البدء|البداية|פתיחה|התחלה',
  endDate:
    'ends|ends at|end|end time|end date|closes|closes at|closing|closing time|ende|endet|endzeit|schliesst|schliesst um|fin|heure de fin|ferme|fermeture|cloture|cierra|cierre|termina|termino|encerra|encerramento|chiude|fine|sluit|eindtijd|einde|bitis|bitiş|kapanis|окончание|завершение|конец|结束时间|截止时间|结束|終了|終了時間|終了日時|종료|종료 시간|ينتهي|وقت الانتهاء|النهاية|סיום',
  minutes:
    'minutes|min|mins|duration|duration minutes|duration min|duration in minutes|minuten|dauer|dauer minuten|dauer min|dauer in minuten|duree|duree minutes|duree en minutes|duracion|duracion minutos|minutos|duracao|duracao minutos|durata|minuti|duur|sure|sure dakika|dakika|длительность|продолжительность|минуты|分钟|时长|时长 分钟|所要時間|분|소요 시간|المدة|الدقائق|المدة بالدقائق|דקות|משך',
};

const COLUMN_OF = new Map(
  Object.entries(HEADS).flatMap(([column, heads]) =>
    heads.split('|').map((head) => [folded(head), column as PersonColumn] as const),
  ),
);

/** Heads that also stand above something else; another column with a head of the same use comes first. */
const WEAK_HEADS = new Set(
  [
    'id',
    'no',
    'nr',
    'number',
    'numero',
    'номер',
    'login id',
    'sis login id',
    'student',
    'person',
  ].map(folded),
);

/** The heads of an export as CSV, which an import always recognizes. */
const ENGLISH_HEADS = ['Email', 'Given name', 'Family name', 'Number', 'Groups', 'Language'];
const ENGLISH_EXTRA_TIME = 'Extra time';

/**
 * Heads of the columns of an export, in the language in use. An import in the same language recognizes them too.
 * Extra time has a column where someone has it.
 */
export const peopleHeads = () => ({
  email: t(/* head of a column of email addresses */ 'peopleHead.email', 'Email'),
  givenName: t(/* head of a column */ 'peopleHead.givenName', 'Given name'),
  familyName: t(/* head of a column */ 'peopleHead.familyName', 'Family name'),
  externalId: t(
    /* head of a column: numbers of students or employees */ 'peopleHead.number',
    'Number',
  ),
  groups: t(/* head of a column: groups of people */ 'peopleHead.groups', 'Groups'),
  language: t(/* head of a column: codes of languages */ 'peopleHead.language', 'Language'),
  extraTime: t(/* head of a column: percents */ 'peopleHead.extraTime', 'Extra time'),
});

/** Why the names of an installation's own fields cannot be used: each needs a column of its own in a list. */
export function whyNotFieldNames(names: readonly string[]): string | null {
  const heads = names.map(folded);
  if (heads.includes('')) {
    return t('peopleField.letters', 'Enter a name with letters or digits');
  }
  const { extraTime, ...always } = peopleHeads();
  const reserved = [...new Set([...ENGLISH_HEADS, ...Object.values(always)])];
  const taken = [...reserved, ENGLISH_EXTRA_TIME, extraTime].map(folded);
  const isTaken = heads.some((head) => taken.includes(head));
  if (isTaken) {
    return t(
      /* {names} are heads of columns in lists of people, also in English */ 'peopleField.taken',
      'Other names than {names}',
      { names: listText(reserved, 'unit') },
    );
  }
  return new Set(heads).size < heads.length
    ? t('peopleField.twice', 'Every field needs a name of its own')
    : null;
}

function folded(head: string): string {
  const plain = foldCase(head).normalize('NFKD').replace(/\p{M}/gu, '');
  return plain.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

/** Finds what heads stand for, those of an export in the language in use too. */
function headsInUse() {
  const heads = peopleHeads();
  const columnOf = new Map(COLUMN_OF);
  for (const [use, head] of Object.entries(heads)) columnOf.set(folded(head), use as PersonColumn);
  const number = folded(heads.externalId);
  return { columnOf, isWeak: (head: string) => WEAK_HEADS.has(head) || head === number };
}

/** Rows at the top of a list among which its head row is looked for. */
const TOP_ROWS = 12;

/**
 * The number of rows above the head row: titles, and `sep=;` of a spreadsheet program. 0 where no row below the
 * first has two known heads or a word right above the addresses, or where a row above it has an address.
 */
export function rowsAboveHead(
  rows: readonly (readonly string[])[],
  fields: readonly PersonField[] = [],
): number {
  const own = new Set(fields.map(({ name }) => folded(name)));
  const { columnOf } = headsInUse();
  const isKnown = (cell: string) => columnOf.has(folded(cell)) || own.has(folded(cell));
  const top = rows.slice(0, TOP_ROWS);
  const withAddress = top.findIndex((row) => row.some((cell) => isEmailAddress(cell.trim())));
  const at = top.findIndex((row) => row.filter(isKnown).length > 1);
  const isUnknown = at < 0 && withAddress > 1 && isUnknownHead(rows.slice(withAddress - 1));
  const head = isUnknown ? withAddress - 1 : at;
  const above = head > 0 && (withAddress < 0 || withAddress > head) ? head : 0;
  return above === 0 && /^sep=.?$/.test(rows[0]?.join('').trim() ?? '') ? 1 : above;
}

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
  const heads = Array.from({ length: width }, (_, i) => folded(head[i] ?? ''));
  const { columnOf, isWeak } = headsInUse();
  const strong = new Set(heads.filter((name) => !isWeak(name)).map((name) => columnOf.get(name)));
  const named = heads.map((name) => {
    const use = own.get(name) ?? columnOf.get(name);
    return isWeak(name) && strong.has(use) ? undefined : use;
  });
  const isNamed = named.some(Boolean) && !head.some((cell) => isEmailAddress(cell.trim()));
  const hasHead = isNamed || isUnknownHead(rows.slice(0, LOOKED_AT));
  const columns: PersonColumn[] = [];
  const body = rows.slice(hasHead ? 1 : 0, LOOKED_AT);
  for (let i = 0; i < width; i += 1) {
    const cells = body.map((row) => (row[i] ?? '').trim()).filter((cell) => cell !== '');
    // Addresses are known by themselves, below a head in whatever language.
    const isAddress = !named.includes('email') && mostly(cells, isEmailAddress);
    const use = isNamed
      ? (named[i] ?? (isAddress ? 'email' : undefined))
      : byContent(cells, columns);
    const found = use === 'extraTime' && areFactors(cells) ? 'extraTimeFactor' : use;
    const isTaken = found !== undefined && found !== 'groups' && columns.includes(found);
    // Rows that are only counted are no numbers of people: the next list counts other people.
    const isCount = isWeak(heads[i] ?? '') && areCounted(cells);
    columns.push(found === undefined || isTaken || isCount ? 'ignored' : found);
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

/** Whether the first row has no address and no digit, and a word above the addresses of the others. */
function isUnknownHead([head = [], ...rows]: readonly (readonly string[])[]): boolean {
  if (rows.length === 0 || head.some((cell) => /[\d@]/.test(cell))) return false;
  return head.some((cell, i) => {
    const isBelow = rows.filter((row) => isEmailAddress((row[i] ?? '').trim())).length;
    return cell.trim() !== '' && isBelow > rows.length / 2;
  });
}

const mostly = (cells: readonly string[], test: (cell: string) => boolean) =>
  cells.filter(test).length > cells.length / 2;

/** 1, 2, 3 … */
const areCounted = (cells: readonly string[]) =>
  cells.length > 1 && cells.every((cell, i) => Number(cell) === i + 1);

const numberIn = (cell: string) => Number(cell.replace(',', '.'));

/** Whether extra time is given as 1.25, as disability offices do: all from 1 to 5, and not all whole. */
const areFactors = (cells: readonly string[]) =>
  cells.length > 0 &&
  cells.every((cell) => numberIn(cell) >= 1 && numberIn(cell) <= 5) &&
  !cells.every((cell) => Number.isInteger(numberIn(cell)));

function byContent(cells: string[], known: PersonColumn[]): PersonColumn | undefined {
  if (cells.length === 0) return undefined;
  const most = (test: (cell: string) => boolean) => mostly(cells, test);
  const isRepeated = new Set(cells).size <= cells.length / 2;
  if (most(isEmailAddress)) return 'email';
  if (most((cell) => /^\+?\d{1,3}(?:[.,]\d)? ?%$/.test(cell))) return 'extraTime';
  if (isRepeated && cells.length > 2) return 'groups';
  if (most((cell) => /^\p{L}{0,3}[-/ ]?\d[\d\p{L}./-]{2,}$/u.test(cell))) return 'externalId';
  if (!most((cell) => /^[\p{L}\p{M}][\p{L}\p{M}'’.\- ,،，]*$/u.test(cell))) return undefined;
  if (most((cell) => /[ ,،，]/.test(cell))) return 'name';
  // Two columns of single words are a given and a family name, in this order.
  return known.includes('givenName') ? 'familyName' : 'givenName';
}

/**
 * People of rows whose columns are known. Empty rows are left out.
 *
 * @param timeZone the zone of the times in the rows; without it they are not read
 */
export function readPeople(
  rows: readonly (readonly string[])[],
  columns: readonly PersonColumn[],
  fields: readonly PersonField[] = [],
  timeZone?: string,
): ReadPerson[] {
  return rows
    .filter((row) => row.some((cell) => cell.trim() !== ''))
    .map((row) => readPerson(row, columns, fields, timeZone));
}

function readPerson(
  row: readonly string[],
  columns: readonly PersonColumn[],
  fields: readonly PersonField[],
  timeZone: string | undefined,
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
  const [first, last] = partsOfName(cellOf('name'));
  // Copied addresses bring invisible characters with them.
  const email = readableEmail(cellOf('email').replace(/\p{Cf}/gu, ''));
  const externalId = cellOf('externalId');
  if (email !== '' && !isEmailAddress(email)) add('email', { code: 'not_email' });
  if (email === '' && externalId === '') add('email', { code: 'no_email' });
  const groups = row.flatMap((cell, i) => (columns[i] === 'groups' ? groupsIn(cell) : []));
  for (const group of groups) requireStorable('groups', group);
  if (/^\d(?:[.,]\d+)?E\+?\d+$/i.test(externalId)) add('externalId', { code: 'shortened' });
  const factor = cellOf('extraTimeFactor');
  const percent = cellOf('extraTime');
  const given = factor === '' ? percentOf(percent) : asPercent(numberIn(factor));
  const isTime = given >= 0 && given <= PEOPLE_LIMITS.extraTimeMaxPercent;
  const hasTime = `${factor}${percent}` !== '';
  if (hasTime && !isTime) {
    add(factor === '' ? 'extraTime' : 'extraTimeFactor', { code: 'not_percentage' });
  } else if (factor === '' && isTime && given > 0 && given <= 3 && !percent.includes('%')) {
    const meant = given < 1 ? asPercent(1 + given) : asPercent(given);
    add('extraTime', { code: 'factor_or_percent', typed: percent, percent: meant });
  }
  const language = cellOf('language');
  if (language !== '' && !isLanguageTag(language)) add('language', { code: 'not_language' });
  const own = fields.flatMap((field): [string, string][] => {
    const { value, problem } = readField(field, cellOf(fieldColumn(field)));
    if (problem !== undefined) add(fieldColumn(field), problem);
    return value === '' ? [] : [[field.id, value]];
  });
  const person = {
    email,
    givenName: cellOf('givenName') || first,
    familyName: cellOf('familyName') || last,
    externalId,
    groups: [...new Set(groups)],
    language,
    fields: Object.fromEntries(own),
    ...(hasTime && isTime ? { extraTime: given } : {}),
    ...(timeZone === undefined ? {} : readOwnTimes(cellOf, timeZone, add)),
  };
  if (person.groups.length > PEOPLE_LIMITS.groupsMax) add('groups', { code: 'too_many_groups' });
  return { person, problems };
}

/** The times and minutes of a row for its person alone. */
function readOwnTimes(
  cellOf: (column: PersonColumn) => string,
  timeZone: string,
  add: (column: PersonColumn, problem: CellProblem) => void,
): Pick<PersonRow, 'opensAt' | 'endDate' | 'minutes'> {
  const timeOf = (column: 'opensAt' | 'endDate') => {
    const cell = cellOf(column);
    if (cell === '') return {};
    const read = readTime(cell, timeZone);
    if ('at' in read) return { [column]: read.at.toISOString() };
    add(column, { code: read.problem });
    return {};
  };
  const times = { ...timeOf('opensAt'), ...timeOf('endDate') } as ReturnType<typeof readOwnTimes>;
  const { opensAt, endDate } = times;
  if (opensAt !== undefined && endDate !== undefined && opensAt >= endDate) {
    add('opensAt', { code: 'opens_too_late' });
  }
  const cell = cellOf('minutes');
  if (cell === '') return times;
  const minutes = Number(/^(\d{1,4})(?: ?(?:min\p{L}*\.?|′|'))?$/u.exec(cell)?.[1] ?? Number.NaN);
  const { durationMinMinutes, durationMaxMinutes } = QUIZ_LIMITS;
  if (minutes >= durationMinMinutes && minutes <= durationMaxMinutes) return { ...times, minutes };
  add('minutes', { code: 'not_minutes' });
  return times;
}

/** The percent beside the regular time: 25 for 1.25. */
export const asPercent = (factor: number) => Math.round((factor - 1) * 10_000) / 100;

/** Titles and generations, one or several, that follow a name and are not said first. */
const SUFFIX =
  /^(?:(?:jr|sr|ii|iii|iv|(?:ph|m|ed|psy|pharm)\.?d|[dm]\.?phil|mba|[mb]\.(?:a|ed)|[mb]\.?(?:sc|eng)|ll\.?[bm]|esq|cpa|\(hons\))\.?(?: |$))+$/i;

/** Titles that are said before a name, wherever a list has them. */
const TITLE =
  /^(?:(?:univ\.-)?prof|professor|dr|pd|dipl\.-ing|mag|mr|mrs|ms|herr|frau)\.?(?: (?:prof|dr|med|phil|rer|nat|jur|ing|habil|h\. ?c)\.?)*(?= |$)/i;

/**
 * A name in one cell: 'Family, Given', or the last word as the family name; of Chinese, Korean and Japanese
 * names the first. One word is a given name: names of one part have no other. Titles stay at the beginning, a
 * suffix at the end.
 */
function partsOfName(name: string): [given: string, family: string] {
  const titles: string[] = [];
  const untitled = (part: string, isWhole: boolean) => {
    const [title = ''] = TITLE.exec(part) ?? [];
    const rest = part.slice(title.length).trim();
    // A family name may be spelled like a title.
    if (title === '' || (isWhole && rest === '')) return part;
    titles.push(title);
    return rest;
  };
  const parts = name
    .split(/[,،，]/)
    .map((part, i) => untitled(part.trim(), i === 0))
    .filter((part) => part !== '');
  const at = parts.findIndex((part, i) => i > 0 && SUFFIX.test(part));
  const suffix = at < 0 ? [] : parts.splice(at);
  const [whole = '', ...behind] = parts;
  const [given, family] = behind.length > 0 ? [behind.join(' '), whole] : inOrder(whole.split(' '));
  const joined = (...words: string[]) => words.filter((word) => word !== '').join(' ');
  return [joined(...titles, given), joined(family, ...suffix)];
}

function inOrder(words: readonly string[]): [given: string, family: string] {
  const [first = '', ...others] = words;
  if (others.length === 0) return [first, ''];
  if (words.every((word) => FAMILY_FIRST.test(word))) return [others.join(' '), first];
  // A suffix belongs to the family name, which is a word of its own behind a given one.
  const behind = words.findLastIndex((word) => !SUFFIX.test(word));
  const at = behind > 0 ? behind : words.length - 1;
  return [words.slice(0, at).join(' '), words.slice(at).join(' ')];
}

/** `25`, `+33,5 %`; NaN for anything else. */
function percentOf(text: string): number {
  const [, digits] = /^\+? ?(\d+(?:[.,]\d+)?) ?%?$/.exec(text) ?? [];
  return digits === undefined ? Number.NaN : Number(digits.replace(',', '.'));
}

/** Whether it has the form of a language tag. */
export const isLanguageTag = (text: string): boolean =>
  /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(text);
