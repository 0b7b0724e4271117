import type { CsvRow } from '@invigil/core/domain/questions/question-csv';
import { type Archive, openArchive } from '../archive/read-archive.ts';
import { type ReadFile, UnreadableFile } from '../imported-file.ts';
import { readXml } from '../xml/read-xml.ts';
import {
  childOf,
  childrenOf,
  descendantsOf,
  isElement,
  textOf,
  type XmlElement,
} from '../xml/xml-element.ts';
import { type CellFormat, cellFormats, shownNumber } from './cell-formats.ts';
import { MOST_ROWS, sheetItems } from './sheet-items.ts';

/** A question, its options and the key are six columns; more are notes beside them. */
const MOST_COLUMNS = 30;

/**
 * Reads the first sheet of an Excel workbook, with the columns of our CSV files. Its parts are XML in an
 * archive, which both are read with their limits here; libraries for workbooks read whole files into
 * memory, and compute formulas, styles and dates that questions do not have.
 */
export const readXlsx: ReadFile = async ({ name, bytes }, sink) => {
  const archive = await openArchive(bytes);
  const { path, sheet, others } = await firstSheet(archive);
  const texts = await sharedTexts(archive);
  const formats = await cellFormats(archive);
  const rows: CsvRow[] = [];
  readXml(await archive.read(path), {
    elements: ['row'],
    onElement: (row) => {
      if (rows.length > MOST_ROWS) return;
      const fields = fieldsOf(row, texts, formats);
      const line = Number(row.attributes.r);
      if (fields.length > 0) rows.push({ line: line > 0 ? line : rows.length + 1, fields });
    },
  });
  const problems = sheetItems(name, rows, sink);
  const rest = others > 0 ? [`Only the first sheet, “${sheet.slice(0, 60)}”, was read.`] : [];
  return { format: 'xlsx', problems: [...problems, ...rest] };
};

async function firstSheet(
  archive: Archive,
): Promise<{ path: string; sheet: string; others: number }> {
  if (!archive.has('xl/workbook.xml')) {
    throw new UnreadableFile('This is not an Excel workbook (.xlsx).');
  }
  const sheets = descendantsOf(readXml(await archive.read('xl/workbook.xml')), 'sheet');
  const [sheet] = sheets;
  const id = Object.entries(sheet?.attributes ?? {}).find(([key]) => key.endsWith(':id'))?.[1];
  const relations = archive.has('xl/_rels/workbook.xml.rels')
    ? childrenOf(readXml(await archive.read('xl/_rels/workbook.xml.rels')), 'Relationship')
    : [];
  const target = relations.find(({ attributes }) => attributes.Id === id)?.attributes.Target;
  const path = target?.startsWith('/')
    ? target.slice(1)
    : `xl/${target ?? 'worksheets/sheet1.xml'}`;
  if (!archive.has(path)) throw new UnreadableFile('The workbook has no sheet with rows.');
  return { path, sheet: sheet?.attributes.name ?? '', others: sheets.length - 1 };
}

/** Texts that cells name by their number. */
async function sharedTexts(archive: Archive): Promise<string[]> {
  const texts: string[] = [];
  if (!archive.has('xl/sharedStrings.xml')) return texts;
  readXml(await archive.read('xl/sharedStrings.xml'), {
    elements: ['si'],
    onElement: (si) => texts.push(richText(si)),
  });
  return texts;
}

/** Text in one or more runs, without its reading aid (`rPh`). */
function richText(element: XmlElement): string {
  return element.children
    .filter(isElement)
    .map((child) =>
      child.name === 't' ? textOf(child) : child.name === 'r' ? richText(child) : '',
    )
    .join('')
    .replace(/_x([\dA-Fa-f]{4})_/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .replace(/\r\n?/g, '\n');
}

/** The fields of a row up to its last cell with content. */
function fieldsOf(
  row: XmlElement,
  texts: readonly string[],
  formats: readonly CellFormat[],
): string[] {
  const fields: string[] = [];
  let next = 0;
  for (const cell of childrenOf(row, 'c')) {
    const column = columnOf(cell.attributes.r) ?? next;
    next = column + 1;
    if (column >= MOST_COLUMNS) break;
    while (fields.length < column) fields.push('');
    fields[column] = contentOf(cell, texts, formats);
  }
  while (fields.length > 0 && fields.at(-1)?.trim() === '') fields.pop();
  return fields;
}

/** `B7` is 1. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^([A-Z]{1,3})\d+$/.exec(reference ?? '')?.[1];
  if (letters === undefined) return null;
  return [...letters].reduce((n, letter) => n * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function contentOf(
  cell: XmlElement,
  texts: readonly string[],
  formats: readonly CellFormat[],
): string {
  const type = cell.attributes.t ?? 'n';
  const inline = childOf(cell, 'is');
  if (type === 'inlineStr' && inline) return richText(inline);
  const element = childOf(cell, 'v');
  const value = element ? textOf(element) : '';
  if (type === 's') return texts[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  const number = Number(value);
  const isNumber = type === 'n' && value.trim() !== '' && Number.isFinite(number);
  return isNumber ? shownNumber(number, formats[Number(cell.attributes.s ?? 0)]) : value;
}
