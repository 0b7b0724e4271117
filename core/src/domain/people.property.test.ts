import { anyEmail, anyName, anyPerson } from '@invigil/testkit/generated-people';
import { inForm } from '@invigil/testkit/test-form';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PEOPLE_LIMITS } from './limits.ts';
import {
  nameOf,
  type PERSON_COLUMNS,
  type PersonColumn,
  type PersonRow,
  personText,
  readPeople,
  recognizeColumns,
} from './people.ts';
import { peopleRows } from './people-text.ts';
import { guardCell } from './spreadsheet-guard.ts';
import { decodeBytes } from './text-encoding.ts';

const runs = { numRuns: inForm({ short: 150, long: 5_000 }) };

const cellsIn = (text: string) => peopleRows(text).map(({ cells }) => cells);

const people = fc.array(anyPerson, { minLength: 1, maxLength: 12 });

/** Heads as people write them; what is recognized is a list of its own. */
type Headed = Exclude<
  (typeof PERSON_COLUMNS)[number],
  'name' | 'extraTimeFactor' | 'ignored' | 'opensAt' | 'endDate' | 'minutes'
>;
const HEADS: Record<Headed, string[]> = {
  email: ['Email', 'E-Mail-Adresse', 'Adresse e-mail', 'Correo electrónico', 'Courriel'],
  givenName: ['First name', 'Given_Name', 'Vorname', 'Prénom', 'Nombre', 'Jméno', 'Imię'],
  familyName: ['Last name', 'Surname', 'Nachname', 'Nom de famille', 'Apellidos', 'Příjmení'],
  externalId: ['Student ID', 'Matrikel-Nr.', 'Numéro étudiant', 'Matrícula', 'ID number', 'Nº'],
  groups: ['Group', 'Klasse', 'Groupe', 'Cohort', 'Department'],
  language: ['Language', 'Sprache', 'Idioma', 'Língua'],
  extraTime: ['Extra time %', 'Zeitverlängerung', 'Tiers temps', 'Nachteilsausgleich'],
};
const KNOWN = Object.keys(HEADS) as (keyof typeof HEADS)[];

/** A column: what it holds, or a text that no one reads; and its head. */
const column = (held: keyof typeof HEADS | number) => {
  if (typeof held === 'number') return fc.constant({ held: null, head: `Remark ${held}` });
  const changes = [
    (head: string) => head,
    (head: string) => head.toUpperCase(),
    (head: string) => head.normalize('NFD'),
    (head: string) => ` ${head.toLowerCase()}: `,
  ];
  return fc
    .tuple(fc.constantFrom(...HEADS[held]), fc.constantFrom(...changes))
    .map(([head, change]) => ({ held, head: change(head) }));
};
/** The address, some others, some unknown ones, in any order. */
const layout = fc
  .subarray([...KNOWN.filter((held) => held !== 'email'), 1, 2] as const)
  .chain((some) => fc.shuffledSubarray(['email' as const, ...some], { minLength: some.length + 1 }))
  .chain((all) => fc.tuple(...all.map(column)));

function cellOf(one: PersonRow, held: keyof typeof HEADS | null): string {
  if (held === null) return 'not read';
  if (held === 'groups') return one.groups.join('; ');
  if (held === 'extraTime') return one.extraTime === undefined ? '' : `${one.extraTime} %`;
  return one[held];
}

/** Someone with what the columns of a list hold. */
function asListed(one: PersonRow, columns: readonly (keyof typeof HEADS | null)[]): PersonRow {
  const nothing = { givenName: '', familyName: '', externalId: '', groups: [], language: '' };
  const held = KNOWN.filter((key) => columns.includes(key)).map((key) => [key, one[key]]);
  return { ...nothing, email: '', fields: {}, ...Object.fromEntries(held) };
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

describe('a list of people', () => {
  it('in any order of columns, with heads in any language, is read as it was written', () => {
    fc.assert(
      fc.property(people, layout, (all, columns) => {
        const held = columns.map((one) => one.held);
        const rows = all.map((one) => held.map((key) => cellOf(one, key)));
        const found = recognizeColumns([columns.map(({ head }) => head), ...rows]);
        expect(found.hasHead).toBe(true);
        expect(found.columns).toEqual(held.map((key) => key ?? 'ignored'));
        const read = readPeople(rows, found.columns);
        expect(read.map((one) => one.person)).toEqual(all.map((one) => asListed(one, held)));
        expect(read.flatMap(({ problems }) => problems)).toEqual([]);
      }),
      runs,
    );
  });

  it('in one column for the name loses no part of it', () => {
    fc.assert(
      fc.property(fc.tuple(anyEmail, anyName), ([address, text]) => {
        const [read] = readPeople([[address, text]], ['email', 'name']);
        const letters = (all: string) =>
          [...all.replaceAll(',', '').replace(/\s/gu, '')].sort().join('');
        expect(letters(nameOf(read?.person ?? { givenName: '', familyName: '' }))).toBe(
          letters(personText(text)),
        );
      }),
      runs,
    );
  });

  it('tells what is wrong with a row, or reads every cell, whatever is in them', () => {
    const cell = fc.oneof(
      anyName,
      anyEmail,
      fc.constantFrom('5 %', '1e9', '0x10', 'x'.repeat(201)),
    );
    const row = fc.array(cell, { minLength: KNOWN.length, maxLength: KNOWN.length });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 6 }), (rows) => {
        const filled = rows.filter((cells) => cells.some((one) => one.trim() !== ''));
        const read = readPeople(rows, KNOWN);
        expect(read).toHaveLength(filled.length);
        for (const [i, { person: found, problems }] of read.entries()) {
          const cells = Object.fromEntries(
            KNOWN.map((key, at) => [key, personText(filled[i]?.[at] ?? '')]),
          );
          for (const key of ['givenName', 'familyName', 'externalId', 'language'] as const) {
            expect(found[key]).toBe(cells[key]);
          }
          const isSaid = (of: PersonColumn) => problems.some((one) => one.column === of);
          const time = cells.extraTime ?? '';
          expect(isSaid('extraTime') || /^\+?[\d.,]* ?%?$/.test(time)).toBe(true);
          expect(isSaid('email') || cells.email?.includes('@') || found.externalId !== '').toBe(
            true,
          );
          for (const value of [found.givenName, found.familyName, ...found.groups]) {
            if (value.length > PEOPLE_LIMITS.textMaxCharacters) expect(problems).not.toEqual([]);
          }
        }
      }),
      runs,
    );
  });

  it.each([
    ['commas, every cell quoted', ',', quoted],
    ['commas, as our export writes it', ',', csvCell],
    ['semicolons', ';', csvCell],
    ['tabs', '\t', csvCell],
  ])('is the same as a text with %s', (_, separator, write) => {
    fc.assert(
      fc.property(
        people,
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        (all, end, isHeaded) => {
          const head = KNOWN.map((key) => HEADS[key][0] ?? '');
          const rows = all.map((one) => KNOWN.map((key) => cellOf(one, key)));
          const text = (isHeaded ? [head, ...rows] : rows)
            .map((row) => row.map(write).join(separator))
            .join(end);
          const found = cellsIn(text);
          const read = readPeople(isHeaded ? found.slice(1) : found, KNOWN);
          expect(read.map((one) => one.person)).toEqual(all);
        },
      ),
      runs,
    );
  });

  it('without quotation marks has them as ordinary characters', () => {
    const rows = [
      ['Email', 'Name', 'Note'],
      ['a@example.org', '"Bob" Smith', '5" pipe'],
      ['b@example.org', 'Ann "', '"'],
      ['c@example.org', '"open', ''],
      ['d@example.org', 'Last', 'x'],
    ];
    for (const separator of ['\t', ';', ',']) {
      const text = rows.map((row) => row.join(separator)).join('\n');
      expect(cellsIn(text)).toEqual(rows);
    }
  });

  it('is read in time that grows with its length, whatever its quotation marks', () => {
    for (const line of ['"a\n', '"",', '"a"b,', ' "\n', '"a,"']) {
      const rows = cellsIn(`${line.repeat(200_000)}last`);
      expect(rows.at(-1)?.at(-1)).toContain('last');
    }
  });

  const HEAD = 'Name;Email\n';
  it.each([
    ['UTF-8', (text: string) => Buffer.from(text)],
    ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
    ['UTF-16 LE', (text: string) => Buffer.from(text, 'utf16le')],
    ['UTF-16 LE with a mark', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 BE', (text: string) => Buffer.from(text, 'utf16le').swap16()],
    ['UTF-16 BE with a mark', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ])('is the same in %s', (_, encode) => {
    fc.assert(
      fc.property(people, (all) => {
        const lines = all.map((one) => [nameOf(one), one.email].map(quoted).join(';'));
        const { text } = decodeBytes(encode(HEAD + lines.join('\n')), TextDecoder);
        const read = cellsIn(text).slice(1);
        expect(read).toEqual(all.map((one) => [nameOf(one), one.email]));
      }),
      runs,
    );
  });

  it('in Windows-1252 is the same when that is selected, and likeliest for names in its languages', () => {
    const western = [
      'Müller',
      'Zoë',
      'Ñúñez',
      'Gonçalves',
      'Lefèvre',
      'Åström',
      'Weiß',
      'Jørgensen',
    ];
    const signs = Array.from({ length: 256 }, (_, byte) =>
      new TextDecoder('windows-1252').decode(Uint8Array.of(byte)),
    );
    const encode = (text: string) => Uint8Array.from([...text].map((sign) => signs.indexOf(sign)));
    const names = fc.array(fc.constantFrom(...western), { minLength: 3, maxLength: 12 });
    fc.assert(
      fc.property(names, (all) => {
        const text = HEAD + all.map((one, i) => `${one};p${i}@example.org`).join('\n');
        expect(decodeBytes(encode(text), TextDecoder, 'windows-1252').text).toBe(text);
        expect(decodeBytes(encode(text), TextDecoder).text).toBe(text);
      }),
      runs,
    );
  });
});

function csvCell(text: string): string {
  const guarded = guardCell(text);
  return /["\n\r;,\t]|^ | $/.test(guarded) ? quoted(guarded) : guarded;
}
