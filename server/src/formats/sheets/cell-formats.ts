import type { Archive } from '../archive/read-archive.ts';
import { UnreadableFile } from '../imported-file.ts';
import { readXml } from '../xml/read-xml.ts';

/** How a number of a cell is shown, as far as it changes what is read. */
export type CellFormat = 'number' | 'percent' | 'date' | 'time';

/** Formats that Excel has without a code in the file. */
const BUILT_IN: Record<string, CellFormat | undefined> = {
  ...Object.fromEntries([9, 10].map((id) => [id, 'percent'])),
  ...Object.fromEntries([14, 15, 16, 17, 22].map((id) => [id, 'date'])),
  ...Object.fromEntries([18, 19, 20, 21, 45, 46, 47].map((id) => [id, 'time'])),
};

/** What a long list of styles is made of; read one by one, none of them stays in memory. */
const PARTS = ['xf', 'numFmt', 'cellStyle', 'font', 'fill', 'border', 'dxf'];

/** Formats of a workbook's cells by the number of their style; none where they cannot be read. */
export async function cellFormats(archive: Archive): Promise<CellFormat[]> {
  if (!archive.has('xl/styles.xml')) return [];
  const codes = new Map<string, CellFormat>();
  const styles: string[] = [];
  try {
    readXml(await archive.read('xl/styles.xml'), {
      elements: PARTS,
      onElement: ({ name, attributes }, parents) => {
        const { numFmtId = '', formatCode = '' } = attributes;
        if (name === 'numFmt') codes.set(numFmtId, formatOf(formatCode));
        if (name === 'xf' && parents.at(-1)?.name === 'cellXfs') styles.push(numFmtId);
      },
    });
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return [];
  }
  return styles.map((id) => codes.get(id) ?? BUILT_IN[id] ?? 'number');
}

function formatOf(code: string): CellFormat {
  // Without texts, colors and conditions, whose letters say nothing.
  const bare = code.replace(/"[^"]*"|\\.|_.|\[(?![hms]+\])[^[\]]*\]/gi, '');
  if (bare.includes('%')) return 'percent';
  if (/[yd]/i.test(bare)) return 'date';
  return /[hs]/i.test(bare) ? 'time' : 'number';
}

const DAY_MS = 86_400_000;

/** A number as its author sees it, or near to that: percent, dates and times. */
export function shownNumber(number: number, format: CellFormat | undefined): string {
  // Excel stores 0.1 + 0.2 with 17 digits, and shows 15.
  const rounded = (value: number) => String(Number(value.toPrecision(15)));
  if (format === 'percent') return `${rounded(number * 100)}%`;
  // Days since the end of 1899; 2,958,465 is the last day of the year 9999.
  if ((format !== 'date' && format !== 'time') || number < 0 || number > 2_958_465) {
    return rounded(number);
  }
  const iso = new Date(Date.UTC(1899, 11, 30) + Math.round(number * 86_400) * 1000).toISOString();
  const [day = '', time = ''] = [
    iso.slice(0, 10),
    iso.slice(11, iso.endsWith(':00.000Z') ? 16 : 19),
  ];
  if (format === 'time' && number < 1) return time;
  return (number * DAY_MS) % DAY_MS === 0 ? day : `${day} ${time}`;
}
