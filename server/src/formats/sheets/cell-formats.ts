import { t } from '@invigil/core/texts/i18n';
import { format, isDateFormat } from 'numfmt';
import { UnreadableFile } from '../imported-file.ts';
import type { Archive } from '../read-archive.ts';
import { readXml } from '../xml/read-xml.ts';

/** How a number of a cell is shown. */
export interface CellFormat {
  /** A format code of Excel. */
  code: string;
  /** The format is that of each computer: no file says what its author saw. */
  isOfComputer: boolean;
}

/** Formats that Excel has without a code in the file; money and dates are those of each computer. */
const BUILT_IN: Record<string, string | undefined> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '#,##0',
  6: '#,##0',
  7: '#,##0.00',
  8: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  37: '#,##0;(#,##0)',
  38: '#,##0;(#,##0)',
  39: '#,##0.00;(#,##0.00)',
  40: '#,##0.00;(#,##0.00)',
  41: '#,##0',
  42: '#,##0',
  43: '#,##0.00',
  44: '#,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
};
const OF_COMPUTER = new Set(['5', '6', '7', '8', '14', '15', '16', '17', '22', '42', '44']);

/** The elements of a long list of styles; read one by one, none of them stays in memory. */
const PARTS = ['xf', 'numFmt', 'cellStyle', 'font', 'fill', 'border', 'dxf'];

/** Excel takes no longer ones, and the time that our library takes grows faster than they do. */
const MOST_CODE_CHARACTERS = 255;

/** Formats of a workbook's cells by the number of their style; none where they cannot be read. */
export async function cellFormats(archive: Archive): Promise<CellFormat[]> {
  if (!archive.has('xl/styles.xml')) return [];
  const codes = new Map<string, string>();
  const styles: string[] = [];
  try {
    readXml(await archive.read('xl/styles.xml'), {
      elements: PARTS,
      onElement: ({ name, attributes }, parents) => {
        const { numFmtId = '', formatCode = '' } = attributes;
        // A code that is too long stays so: it is not used.
        if (name === 'numFmt') codes.set(numFmtId, formatCode.slice(0, MOST_CODE_CHARACTERS + 1));
        if (name === 'xf' && parents.at(-1)?.name === 'cellXfs') styles.push(numFmtId);
      },
    });
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return [];
  }
  // Once for each format: thousands of styles can share one.
  const formats = new Map([...new Set(styles)].map((id) => [id, cellFormat(id, codes.get(id))]));
  return styles.flatMap((id) => formats.get(id) ?? []);
}

function cellFormat(id: string, code: string | undefined): CellFormat {
  if (code === undefined) {
    return { code: BUILT_IN[id] ?? 'General', isOfComputer: OF_COMPUTER.has(id) };
  }
  // Windows' long date and time.
  const system = /^\[\$-(?:x-sysdate|x-systime|F800|F400)\]/i.exec(code)?.[0];
  if (system === undefined) return { code, isOfComputer: isDateOfComputer(code) };
  return { code: /F400|systime/i.test(system) ? 'h:mm:ss' : 'yyyy-mm-dd', isOfComputer: true };
}

/**
 * Whether a date looks different on each computer: Excel writes names of months and days, and “/”, in its
 * language where the code names none.
 */
function isDateOfComputer(code: string): boolean {
  const bare = code.replace(/"[^"]*"|\\.|AM\/PM|A\/P/gi, '');
  return isDateFormat(code) && !/\[\$[^\]]*-/.test(bare) && /mmm|ddd|\//i.test(bare);
}

/** Days between the two calendars of Excel. */
const DAYS_TO_1904 = 1_462;

/**
 * A number as the sheet shows it, and why that may not be what its author saw.
 *
 * @param from1904 the days of the workbook count from 1904, as on old Macs
 */
export function shownNumber(
  number: number,
  { code, isOfComputer }: CellFormat,
  from1904: boolean,
): { text: string; note: string | null } {
  // Excel stores 0.1 + 0.2 with 17 digits, and shows 15.
  const plain = String(Number(number.toPrecision(15)));
  const ofFormat = code === 'General' || code === '@' ? plain : formatted(number, code, from1904);
  if (ofFormat === null) {
    const note = t(
      /* a cell of a sheet */ 'import.sheet.unknownFormat',
      'The format of a cell is not known. It was read as “{text}”.',
      { text: plain },
    );
    return { text: plain, note };
  }
  if (ofFormat === '') {
    const note = t(
      /* a cell of a sheet; “it”: the content */ 'import.sheet.hidden',
      'A cell hides its content, “{text}”. It was read.',
      { text: plain },
    );
    return { text: plain, note };
  }
  return {
    text: ofFormat,
    note: isOfComputer
      ? t(
          /* a cell of a sheet */ 'import.sheet.formatOfComputer',
          'A cell is shown in the format of each computer. It was read as “{text}”.',
          { text: ofFormat },
        )
      : null,
  };
}

/** `null`: the format cannot be used. */
function formatted(number: number, code: string, from1904: boolean): string | null {
  if (code.length > MOST_CODE_CHARACTERS) return null;
  try {
    const value = from1904 && isDateFormat(code) ? number + DAYS_TO_1904 : number;
    const text = format(code, value, { nbsp: false }).replace(/\s+/g, ' ').trim();
    return /^#+$/.test(text) ? null : text;
  } catch {
    return null;
  }
}
