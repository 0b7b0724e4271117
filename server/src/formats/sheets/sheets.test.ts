import { optionsOfPairs } from '@invigil/core/domain/questions/matching-options';
import {
  isPlainQuestion,
  plainDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { readAll } from '@invigil/testkit/question-files';
import { describe, expect, it } from 'vitest';
import { UnreadableFile } from '../imported-file.ts';
import { readCsv } from './read-csv.ts';
import { readXlsx } from './read-xlsx.ts';
import { csvCannotHold, writeCsv } from './write-csv.ts';

const HEADER = 'question,a,b,c,d,correct';
const csv = (text: string) => readAll(readCsv, { name: 'a.csv', bytes: text });

const PARTS = {
  'xl/workbook.xml':
    '<workbook xmlns:r="r"><sheets><sheet name="Exam" sheetId="1" r:id="rId7"/><sheet name="Notes" sheetId="2" r:id="rId8"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    '<Relationships><Relationship Id="rId7" Target="worksheets/sheet9.xml"/></Relationships>',
  'xl/sharedStrings.xml':
    '<sst><si><t>Question</t></si><si><r><t>What is </t></r><r><t>2+2?</t></r><rPh><t>x</t></rPh></si></sst>',
  'xl/worksheets/sheet9.xml': `<worksheet><sheetData>
    <row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>A</t></is></c><c r="C1" t="inlineStr"><is><t>B</t></is></c><c r="F1" t="inlineStr"><is><t>Correct</t></is></c></row>
    <row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3"><v>4</v></c><c r="C3"><v>0.30000000000000004</v></c><c r="F3" t="str"><v>A</v></c></row>
    <row r="4"><c r="A4" t="s"><v>1</v></c><c r="B4" t="b"><v>1</v></c><c r="F4" t="str"><v>C</v></c></row>
  </sheetData></worksheet>`,
};
const xlsx = (bytes: Record<string, string>) => readAll(readXlsx, { name: 'a.xlsx', bytes });

describe('CSV', () => {
  it('reads rows by the rules of the CSV import', async () => {
    const { items, problems } = await csv(`${HEADER}\nQ,x,y,,,B\nbroken,x,,,,A\n`);
    expect(problems).toEqual([]);
    expect(items).toMatchObject([
      {
        source: { file: 'a.csv', line: 2 },
        title: 'Q',
        definition: plainDefinition('Q', ['x', 'y'], 'y'),
        notes: [],
      },
      {
        source: { line: 3 },
        definition: null,
        notes: ['Line 3: Each question must have at least a question and 2 options'],
      },
    ]);
  });

  it('reads a file without a header, and says so', async () => {
    const { items, problems } = await csv('Q,x,y,B\nR,x,y,A\n');
    expect(items).toHaveLength(2);
    expect(problems).toEqual([
      'The first row is a question, so the file was read without a header.',
    ]);
  });

  it.each(['', 'a,b\n1,2', 'a,b,c\n"x', '\0'])('refuses %j with a sentence', async (text) => {
    await expect(csv(text)).rejects.toThrow(UnreadableFile);
  });

  it('writes a file whose letters Excel knows, and reads it back', async () => {
    const definition = plainDefinition('Größe?', ['ja', 'nein'], 'ja');
    const file = writeCsv([{ definition, title: '', tags: [], categoryPath: [] }]);
    expect(file).toMatch(/^\uFEFFQuestion,/);
    expect((await csv(file)).items).toMatchObject([{ definition }]);
  });

  it('names and leaves out what is more than a plain question', () => {
    const definition = { ...plainDefinition('Q', ['a', 'b'], 'a'), points: 2 };
    expect(isPlainQuestion(definition)).toBe(false);
    expect(csvCannotHold(definition)).toHaveLength(1);
    expect(
      writeCsv([{ definition, title: '', tags: [], categoryPath: [] }]).split('\n'),
    ).toHaveLength(2);
  });
});

describe('Excel', () => {
  it('reads the first sheet, with shared and inline texts, numbers and gaps', async () => {
    const { items, problems, format } = await xlsx(PARTS);
    expect(format).toBe('xlsx');
    expect(problems).toEqual(['Only the first sheet, “Exam”, was read.']);
    expect(items).toMatchObject([
      { source: { line: 3 }, definition: plainDefinition('What is 2+2?', ['4', '0.3'], '4') },
      { source: { line: 4 }, definition: null },
    ]);
  });

  const OWN = ['Question', 'Option A', 'Option B', 'Option C', 'Option D', 'Correct Answer'];
  const sheetOf = (rows: readonly (readonly string[])[]) =>
    xlsx({
      'xl/workbook.xml':
        '<workbook xmlns:r="r"><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows.map((row) => `<row>${row.map(text).join('')}</row>`).join('')}</sheetData></worksheet>`,
    });

  it('has a draft where the cell of the key is blank, and takes no option for it', async () => {
    const rows = [
      ['Which planet?', 'Venus', 'Mars', '', '', 'B'],
      ['Which vitamin?', 'D', 'C', 'B', 'A', ''],
      ['Which letter?', 'A', 'B'],
    ];
    const { items } = await sheetOf([OWN, ...rows]);
    expect(items.map(({ definition }) => definition)).toEqual([
      plainDefinition('Which planet?', ['Venus', 'Mars'], 'Mars'),
      plainDefinition('Which vitamin?', ['D', 'C', 'B', 'A'], ''),
      plainDefinition('Which letter?', ['A', 'B'], ''),
    ]);
    const file = [OWN, ...rows.map((row) => OWN.map((_, i) => row[i] ?? ''))];
    const same = await csv(file.map((row) => row.join(',')).join('\n'));
    expect(items.map(({ notes }) => notes)).toEqual(same.items.map(({ notes }) => notes));
    expect(items[1]?.notes).toEqual(['The row has no correct answer.']);
  });

  it.each([
    ['no workbook', { 'a.txt': 'x' }],
    ['no sheet', { 'xl/workbook.xml': '<workbook/>' }],
    ['broken XML', { ...PARTS, 'xl/worksheets/sheet9.xml': '<worksheet><row>' }],
    [
      'an entity',
      {
        ...PARTS,
        'xl/sharedStrings.xml': '<!DOCTYPE a [<!ENTITY b "c">]><sst><si><t>&b;</t></si></sst>',
      },
    ],
    [
      'a sheet outside',
      {
        ...PARTS,
        'xl/_rels/workbook.xml.rels':
          '<Relationships><Relationship Id="rId7" Target="../../etc/passwd"/></Relationships>',
      },
    ],
    ['no rows', { ...PARTS, 'xl/worksheets/sheet9.xml': '<worksheet><sheetData/></worksheet>' }],
  ])('refuses a file with %s', async (_, parts) => {
    await expect(xlsx(parts)).rejects.toThrow(UnreadableFile);
  });
});

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const HEAD = ['Question', 'Option A', 'Option B', 'Answer'].map(text).join('');

/** The first option of a question, whose cell has this XML, and the notes of the question. */
async function readCell(cell: string, { format = 'General', workbook = '' } = {}) {
  const parts = {
    'xl/workbook.xml': `<workbook xmlns:r="r">${workbook}<sheets><sheet name="S" r:id="r1"/></sheets></workbook>`,
    'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${format.replaceAll('"', '&quot;')}"/></numFmts>
      <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="200"/><xf numFmtId="14"/><xf numFmtId="44"/><xf numFmtId="9"/><xf numFmtId="20"/><xf numFmtId="15"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row r="1">${HEAD}</row><row r="2">${text('Q')}${cell}${text('other')}${text('A')}</row></sheetData></worksheet>`,
  };
  const { items, notes } = await xlsx(parts);
  const [item] = items;
  return {
    shown: item?.definition?.options[0]?.text,
    format: item?.definition?.format,
    notes: item?.notes,
    fileNotes: notes,
  };
}

describe('a cell is read as the sheet shows it', () => {
  it.each([
    ['00000', 42, '00042'],
    ['0.00', 2, '2.00'],
    ['#,##0', 1234567, '1,234,567'],
    ['0%', 0.25, '25%'],
    ['0.0%', 0.125, '12.5%'],
    ['#,##0.00\\ "€"', 1234.5, '1,234.50 €'],
    ['_-* #,##0.00\\ "€"_-', 12.5, '12.50 €'],
    ['"$"#,##0.00', 9.5, '$9.50'],
    ['[$€-407]\\ #,##0.00', 1234.5, '€ 1.234,50'],
    ['dd.mm.yyyy', 45_985, '24.11.2025'],
    ['[$-809]dd/mm/yyyy', 45_985, '24/11/2025'],
    ['h:mm AM/PM', 0.5, '12:00 PM'],
    ['"mmm/" yyyy', 45_985, 'mmm/ 2025'],
    ['[$-407]d\\.\\ mmmm\\ yyyy', 45_985, '24. November 2025'],
    ['yyyy', 45_985, '2025'],
    ['[h]:mm', 1.5, '36:00'],
    ['# ?/?', 0.5, '1/2'],
    ['0.00E+00', 123_456, '1.23E+05'],
    ['0.00" days"', 1.5, '1.50 days'],
    ['[Red]0.0', 3, '3.0'],
    ['General', 0.1 + 0.2, '0.3'],
    ['General', 12_345_678_901_234, '12345678901234'],
    ['@', 7, '7'],
  ])('%s of %d is %s', async (format, value, shown) => {
    const read = await readCell(`<c s="1"><v>${value}</v></c>`, { format });
    expect(read).toMatchObject({ shown, notes: [] });
  });

  it.each([
    ['percent', '<c s="4"><v>0.25</v></c>', '25%'],
    ['a time', '<c s="5"><v>0.5</v></c>', '12:00'],
  ])('by the number of a format that every file has: %s', async (_, cell, shown) => {
    expect((await readCell(cell)).shown).toBe(shown);
  });

  it('counts days from 1904 where the workbook does', async () => {
    const workbook = '<workbookPr date1904="1"/>';
    const cell = '<c s="1"><v>44523</v></c>';
    expect((await readCell(cell, { format: 'yyyy-mm-dd', workbook })).shown).toBe('2025-11-24');
  });

  it('says by which signs numbers were read', async () => {
    const words = 'Numbers were read with a point for decimals and a comma for thousands, as';
    expect((await readCell('<c><v>1.5</v></c>')).fileNotes).toEqual([`${words} “1.5”.`]);
    const thousands = await readCell('<c s="1"><v>1234</v></c>', { format: '#,##0' });
    expect(thousands.fileNotes).toEqual([`${words} “1,234”.`]);
    expect((await readCell('<c><v>15</v></c>')).fileNotes).toEqual([]);
  });
});

/** The key of a numeric question, and the notes. */
function numericOf([item]: Awaited<ReturnType<typeof csv>>['items']) {
  return [item?.definition?.numeric?.accepted, item?.notes];
}

describe('the key of a numeric question', () => {
  it.each([
    ['#,##0', 1234, '1234'],
    ['#,##0', 1_234_567, '1234567'],
    ['#,##0.00', 1234.5, '1234.50'],
    ['[$-407]#,##0', 1234, '1234'],
    ['[$-407]0.000', 1.2344, '1.234'],
    ['[$-407]0.0', 0.1, '0.1'],
    ['0.00', 1 / 3, '0.33'],
    ['General', 42, '42'],
  ])('in the format %s of %d is %s', async (format, number, value) => {
    const row = (inside: string) => `<row>${inside}</row>`;
    const { items } = await xlsx({
      'xl/workbook.xml':
        '<workbook xmlns:r="r"><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
      'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${format}"/></numFmts>
        <cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>`,
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${row(['Question', 'Answer', 'Type'].map(text).join(''))}
        ${row(`${text('Q')}<c><v>${number}</v></c>${text('numeric')}`)}</sheetData></worksheet>`,
    });
    expect(numericOf(items)).toEqual([[{ value }], []]);
  });

  it.each([
    ['1,234', '1.234', ['The answer “1,234” was read as 1.234.']],
    ['3,5', '3.5', []],
    ['1234', '1234', []],
  ])('as the text %s is %s', async (shown, value, notes) => {
    const { items } = await csv(`Question,Answer,Type\nQ,"${shown}",numeric`);
    expect(numericOf(items)).toEqual([[{ value }], notes]);
  });
});

describe('a cell of which the file does not say how it is shown is told', () => {
  const OF_EACH = 'format of each computer';
  const LONG_DATE = '[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy';
  it.each([
    ['a date of each computer', 2, 45985, '', '2025-11-24', OF_EACH],
    ['a long date of each computer', 1, 45985, LONG_DATE, '2025-11-24', OF_EACH],
    ['a short date with a month in words', 6, 45985, '', '24-Nov-25', OF_EACH],
    ['a date with a month in words', 1, 45985, 'd\\. mmmm yyyy', '24. November 2025', OF_EACH],
    ['a date with slashes', 1, 45985, 'dd/mm/yyyy', '24/11/2025', OF_EACH],
    ['an amount of each computer', 3, 5, '', '5.00', OF_EACH],
    ['a hidden value', 1, 5, ';;;', '5', 'hides its content'],
    ['a format that nobody knows', 1, 5, '0 "x', '5', 'not known'],
    ['a format of a million characters', 1, 5, '['.repeat(1_000_000), '5', 'not known'],
  ])('%s', async (_, style, value, format, shown, note) => {
    const found = await readCell(`<c r="B2" s="${style}"><v>${value}</v></c>`, { format });
    expect(found.shown).toBe(shown);
    expect(found.notes).toEqual([expect.stringContaining(note)]);
    expect(found.notes?.[0]).toMatch(/^Cell B2: /);
  });

  it('a truth value', async () => {
    const found = await readCell('<c r="B2" t="b"><v>1</v></c>');
    expect(found.shown).toBe('TRUE');
    expect(found.notes).toEqual([
      'Cell B2: A cell is shown in the language of each computer. It was read as “TRUE”.',
    ]);
  });

  it('a formula without a result', async () => {
    const found = await readCell('<c r="B2"><f>1+1</f></c>');
    expect(found.shown).toBeUndefined();
    expect(found.notes).toEqual([
      'Line 2: Cell B2: The formula has no stored result. Open and save the file in Excel.',
    ]);
  });
});

describe('raised and lowered letters', () => {
  const runs = (before: string, align: string, raised: string, after = '') =>
    `<c r="B2" t="inlineStr"><is><r><t>${before}</t></r><r><rPr><vertAlign val="${align}"/></rPr><t>${raised}</t></r><r><t>${after}</t></r></is></c>`;

  it.each([
    [runs('10', 'superscript', '6'), '10⁶'],
    [runs('10', 'superscript', '-3', ' m'), '10⁻³ m'],
    [runs('H', 'subscript', '2', 'O'), 'H₂O'],
    [runs('10', 'baseline', '6'), '106'],
  ])('stay: %s', async (cell, shown) => {
    expect(await readCell(cell)).toMatchObject({ shown, format: 'plain', notes: [] });
  });

  it('become a formula where there are no such letters, which is told', async () => {
    expect(await readCell(runs('a &lt; 5', 'superscript', 'Q'))).toMatchObject({
      shown: 'a < 5$^{\\text{Q}}$',
      format: 'markdown',
      notes: ['Raised or lowered letters became a formula.'],
    });
  });
});

describe('rows of a type with rows', () => {
  const HEAD = 'Type,Question,Option 1,Option 2,Option 3,Correct answer';

  it('are pairs to match, each in a cell, and items in the right order', async () => {
    const { items } = await csv(
      `${HEAD}\nmatching,Capital?,France -> Paris,Spain → Madrid,-> Rome,\nordering,First?,c,a,b,\n`,
    );
    expect(items.map(({ definition }) => definition)).toMatchObject([
      {
        type: 'matching',
        options: optionsOfPairs(
          [
            { item: 'France', answer: 'Paris' },
            { item: 'Spain', answer: 'Madrid' },
          ],
          ['Rome'],
        ),
      },
      { type: 'ordering', options: [{ text: 'c' }, { text: 'a' }, { text: 'b' }] },
    ]);
  });

  it('are refused for a cell that is no pair', async () => {
    const { items } = await csv(`${HEAD}\nmatching,Capital?,France -> Paris,Spain,x,\n`);
    expect(items[0]?.notes).toEqual([
      'Line 2: Option 2 is no pair to match, such as “France -> Paris”',
    ]);
  });
});
