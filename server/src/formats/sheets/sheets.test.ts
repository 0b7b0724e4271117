import {
  isPlainQuestion,
  plainDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { readAll } from '@invigil/testkit/running-server';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { UnreadableFile } from '../imported-file.ts';
import { readCsv } from './read-csv.ts';
import { readXlsx } from './read-xlsx.ts';
import { csvCannotHold, writeCsv } from './write-csv.ts';

const HEADER = 'question,a,b,c,d,correct';
const csv = (text: string) =>
  readAll(readCsv, { name: 'a.csv', bytes: new TextEncoder().encode(text) });

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
const workbook = (parts: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])));
const xlsx = (parts: Record<string, string>) =>
  readAll(readXlsx, { name: 'a.xlsx', bytes: workbook(parts) });

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

  it('reads percent, dates and times as they are shown', async () => {
    const cells = ['0.25', '45985', '0.5', '1.5']
      .map((value, i) => `<c s="${i}"><v>${value}</v></c>`)
      .join('');
    const { items } = await xlsx({
      ...PARTS,
      'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy"/><numFmt numFmtId="165" formatCode="0.00&quot; days&quot;"/></numFmts>
        <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="9"/><xf numFmtId="164"/><xf numFmtId="20"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
      'xl/worksheets/sheet9.xml': `<worksheet><sheetData><row r="1"><c t="inlineStr"><is><t>Question</t></is></c></row>
        <row r="2"><c t="inlineStr"><is><t>Which?</t></is></c>${cells}<c t="inlineStr"><is><t>A</t></is></c></row></sheetData></worksheet>`,
    });
    expect(items[0]?.definition?.options.map(({ text }) => text)).toEqual([
      '25%',
      '2025-11-24',
      '12:00',
      '1.50 days',
    ]);
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
