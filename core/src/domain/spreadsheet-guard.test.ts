import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guardCell, unguardCell } from './spreadsheet-guard.ts';

const RUN_BY_SPREADSHEETS = ['=', '+', '-', '@', '\t', '\r', '\n', '\0', '＝', '＋', '－', '＠'];

describe('guarding spreadsheet cells', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['=HYPERLINK("http://x","y")', `'=HYPERLINK("http://x","y")`],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', "'\r=1"],
    ['\n=1', "'\n=1"],
    ['\0=1', "'\0=1"],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    ["'quoted", "''quoted"],
    ["'=1", "''=1"],
  ])('puts one apostrophe before %j', (text, guarded) => {
    expect(guardCell(text)).toBe(guarded);
    expect(unguardCell(guarded)).toBe(text);
  });

  it.each(['', 'a', '1', '1-2', 'a=b', 'x@example.org', ' =1', '"="', 'é', '日本'])(
    'leaves %j unchanged',
    (text) => {
      expect(guardCell(text)).toBe(text);
      expect(unguardCell(text)).toBe(text);
    },
  );

  it.each(["'tis", "'", "'1", "'a=b"])('removes nothing from %j, which was not guarded', (cell) => {
    expect(unguardCell(cell)).toBe(cell);
  });

  const risky = fc
    .tuple(
      fc.array(fc.constantFrom("'", ...RUN_BY_SPREADSHEETS, 'a', ' ', '\n'), { maxLength: 4 }),
      fc.string({ unit: 'binary' }),
    )
    .map(([head, tail]) => head.join('') + tail);

  it('restores every guarded text', () => {
    fc.assert(
      fc.property(risky, (text) => {
        expect(unguardCell(guardCell(text))).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  it('never returns a cell that a spreadsheet would run as a formula', () => {
    fc.assert(
      fc.property(risky, (text) => {
        expect(RUN_BY_SPREADSHEETS).not.toContain(guardCell(text).charAt(0) || 'nothing');
      }),
      { numRuns: 300 },
    );
  });
});
