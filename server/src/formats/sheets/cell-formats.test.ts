import { readAll } from '@invigil/testkit/running-server';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readXlsx } from './read-xlsx.ts';

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const HEAD = ['Question', 'Option A', 'Option B', 'Answer'].map(text).join('');

/** The first option of a question, whose cell has this XML, and the notes of the question. */
async function read(cell: string, { format = 'General', workbook = '' } = {}) {
  const parts = {
    'xl/workbook.xml': `<workbook xmlns:r="r">${workbook}<sheets><sheet name="S" r:id="r1"/></sheets></workbook>`,
    'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${format.replaceAll('"', '&quot;')}"/></numFmts>
      <cellXfs><xf numFmtId="0"/><xf numFmtId="200"/><xf numFmtId="14"/><xf numFmtId="44"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row r="1">${HEAD}</row><row r="2">${text('Q')}${cell}${text('other')}${text('A')}</row></sheetData></worksheet>`,
  };
  const bytes = zipSync(
    Object.fromEntries(Object.entries(parts).map(([path, content]) => [path, strToU8(content)])),
  );
  const { items, notes } = await readAll(readXlsx, { name: 'a.xlsx', bytes });
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
    const read1 = await read(`<c s="1"><v>${value}</v></c>`, { format });
    expect(read1).toMatchObject({ shown, notes: [] });
  });

  it('counts days from 1904 where the workbook does', async () => {
    const workbook = '<workbookPr date1904="1"/>';
    const cell = '<c s="1"><v>44523</v></c>';
    expect((await read(cell, { format: 'yyyy-mm-dd', workbook })).shown).toBe('2025-11-24');
  });

  it('says which numbers got a point for decimals', async () => {
    expect((await read('<c><v>1.5</v></c>')).fileNotes).toEqual([
      'Numbers were read with a point for decimals, as “1.5”.',
    ]);
    expect((await read('<c><v>15</v></c>')).fileNotes).toEqual([]);
  });
});

describe('a cell of which the file does not say how it is shown is told', () => {
  it.each([
    [
      'a date of each computer',
      '<c r="B2" s="2"><v>45985</v></c>',
      '2025-11-24',
      'format of each computer',
    ],
    [
      'an amount of each computer',
      '<c r="B2" s="3"><v>5</v></c>',
      '5.00',
      'format of each computer',
    ],
  ])('%s', async (_, cell, shown, note) => {
    const found = await read(cell);
    expect(found.shown).toBe(shown);
    expect(found.notes).toEqual([expect.stringContaining(note)]);
    expect(found.notes?.[0]).toMatch(/^Cell B2: /);
  });

  it.each([
    ['a hidden value', ';;;', 'hides its content'],
    ['a format that nobody knows', '0 "x', 'not known'],
  ])('%s', async (_, format, note) => {
    const found = await read('<c r="B2" s="1"><v>5</v></c>', { format });
    expect(found.shown).toBe('5');
    expect(found.notes).toEqual([expect.stringContaining(note)]);
  });

  it('a formula without a result', async () => {
    const found = await read('<c r="B2"><f>1+1</f></c>');
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
    expect(await read(cell)).toMatchObject({ shown, format: 'plain', notes: [] });
  });

  it('become a formula where there are no such letters, which is told', async () => {
    expect(await read(runs('a &lt; 5', 'superscript', 'Q'))).toMatchObject({
      shown: 'a < 5$^{\\text{Q}}$',
      format: 'markdown',
      notes: ['Raised or lowered letters became a formula.'],
    });
  });
});
