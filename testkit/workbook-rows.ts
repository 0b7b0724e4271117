import { openArchive } from '../server/src/formats/read-archive.ts';
import { readXml } from '../server/src/formats/xml/read-xml.ts';
import { childOf, childrenOf, textOf } from '../server/src/formats/xml/xml-element.ts';

/** A cell as the file has it: texts as strings, numbers and dates as numbers, `null` for a blank one. */
export type WorkbookCell = string | number | null;

/** The rows of a sheet of our own workbooks, by what each cell is. */
export async function workbookRows(bytes: Uint8Array, sheet = 1): Promise<WorkbookCell[][]> {
  const archive = await openArchive(bytes);
  const rows: WorkbookCell[][] = [];
  readXml(await archive.read(`xl/worksheets/sheet${sheet}.xml`), {
    elements: ['row'],
    onElement: (row) => {
      rows.push(
        childrenOf(row, 'c').map((cell) => {
          const text = childOf(cell, 'is');
          const [t] = text ? childrenOf(text, 't') : [];
          if (t) return textOf(t);
          const value = childOf(cell, 'v');
          if (childOf(cell, 'f')) throw new Error('a cell is a formula');
          return value ? Number(textOf(value)) : null;
        }),
      );
    },
  });
  return rows;
}
