import { plainTextOf } from '@invigil/core/content/content-facts';
import { type ConvertedText, markdownFromHtml } from '@invigil/core/content/html/html-text';
import { columnName, IMPORT_LIMITS } from '@invigil/core/domain/questions/question-files';
import { t } from '@invigil/core/texts/i18n';
import { isDateFormat } from 'numfmt';
import { type ReadFile, storable, UnreadableFile } from '../imported-file.ts';
import { type Archive, openArchive } from '../read-archive.ts';
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
import { MOST_ROWS, readSheet } from './sheet-items.ts';
import type { SheetRow } from './sheet-question.ts';

/** A text without formatting, or one with raised or lowered parts. */
type CellText = string | ConvertedText;

/** The parts of a workbook that cells refer to. */
interface Workbook {
  texts: readonly CellText[];
  formats: readonly CellFormat[];
  /** Days count from 1904. */
  from1904: boolean;
}

/**
 * Reads the first sheet of an Excel workbook, by its header or with the columns of our CSV files. Its parts
 * are XML in an archive, which both are read with their limits here; libraries for workbooks read whole
 * files into memory, and compute formulas and styles that questions do not have.
 */
export const readXlsx: ReadFile = async ({ name, bytes, columns }, sink) => {
  const { rows, problems: ofSheets, notes: ofRows } = await readXlsxRows(bytes);
  const { items, problems, notes, ...summary } = readSheet(name, rows, columns);
  for (const item of items) sink.item(item);
  return {
    format: 'xlsx',
    ...summary,
    problems: [...problems, ...ofSheets],
    notes: [...notes, ...ofRows],
  };
};

/** The format of a date, with a time where that of the sheet shows one. Texts in it are quoted, or in brackets. */
const isoCode = (code: string): string =>
  /h/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, '')) ? 'yyyy-mm-dd hh:mm' : 'yyyy-mm-dd';

/**
 * The rows of the first sheet with content, at most one more than `MOST_ROWS`.
 *
 * @param isoDates dates as 2026-05-14, with a time as 2026-05-14 10:00, whatever their format
 */
export async function readXlsxRows(
  bytes: Uint8Array,
  { isoDates = false } = {},
): Promise<{ rows: SheetRow[]; problems: string[]; notes: string[] }> {
  const archive = await openArchive(bytes);
  const { path, sheet, others, from1904 } = await firstSheet(archive);
  const texts = await sharedTexts(archive);
  const formats = await cellFormats(archive);
  const isoFormats = () => {
    const shown = new Map(
      [...new Set(formats)].map((format) => [
        format,
        isDateFormat(format.code) ? { ...format, code: isoCode(format.code) } : format,
      ]),
    );
    return formats.map((format) => shown.get(format) ?? format);
  };
  const workbook = { texts, formats: isoDates ? isoFormats() : formats, from1904 };
  const rows: SheetRow[] = [];
  let hidden = 0;
  let decimal: string | undefined;
  readXml(await archive.read(path), {
    elements: ['row'],
    onElement: (row) => {
      if (rows.length > MOST_ROWS) return;
      const line = Number(row.attributes.r);
      const read = readRow(row, line > 0 ? line : rows.length + 1, workbook);
      decimal ??= read.decimal;
      if (read.row.fields.length === 0) return;
      rows.push(read.row);
      if (row.attributes.hidden === '1') hidden += 1;
    },
  });
  return {
    rows,
    problems:
      others > 0
        ? [
            t(
              /* of a workbook; {sheet} is its name */ 'import.excel.firstSheet',
              'Only the first sheet, “{sheet}”, was read.',
              { sheet: sheet.slice(0, 60) },
            ),
          ]
        : [],
    notes: [
      ...(hidden > 0
        ? [
            t(
              /* {count}: how many */ 'import.excel.hiddenRows',
              'Rows that are hidden in the sheet were read too: {count}.',
              { count: hidden },
            ),
          ]
        : []),
      ...(decimal === undefined
        ? []
        : [
            t(
              'import.excel.decimals',
              'Numbers were read with a point for decimals and a comma for thousands, as “{number}”.',
              { number: decimal },
            ),
          ]),
    ],
  };
}

/** Said of a file. */
export const notExcelText = (): string =>
  t('import.excel.none', 'This is not an Excel workbook (.xlsx).');

async function firstSheet(
  archive: Archive,
): Promise<{ path: string; sheet: string; others: number; from1904: boolean }> {
  if (!archive.has('xl/workbook.xml')) {
    throw new UnreadableFile(notExcelText());
  }
  const workbook = readXml(await archive.read('xl/workbook.xml'));
  const sheets = descendantsOf(workbook, 'sheet');
  const date1904 = childOf(workbook, 'workbookPr')?.attributes.date1904 ?? '';
  const [sheet] = sheets;
  const id = Object.entries(sheet?.attributes ?? {}).find(([key]) => key.endsWith(':id'))?.[1];
  const relations = archive.has('xl/_rels/workbook.xml.rels')
    ? childrenOf(readXml(await archive.read('xl/_rels/workbook.xml.rels')), 'Relationship')
    : [];
  const target = relations.find(({ attributes }) => attributes.Id === id)?.attributes.Target;
  const path = target?.startsWith('/')
    ? target.slice(1)
    : `xl/${target ?? 'worksheets/sheet1.xml'}`;
  if (!archive.has(path))
    throw new UnreadableFile(t('import.excel.empty', 'The workbook has no sheet with rows.'));
  return {
    path,
    sheet: sheet?.attributes.name ?? '',
    others: sheets.length - 1,
    from1904: /^(?:1|true)$/.test(date1904),
  };
}

/** Texts that cells name by their number. */
async function sharedTexts(archive: Archive): Promise<CellText[]> {
  const texts: CellText[] = [];
  if (!archive.has('xl/sharedStrings.xml')) return texts;
  readXml(await archive.read('xl/sharedStrings.xml'), {
    elements: ['si'],
    onElement: (si) => texts.push(richText(si)),
  });
  return texts;
}

const RAISED = { superscript: 'sup', subscript: 'sub' } as const;
type Raised = keyof typeof RAISED;

/** Text in one or more runs, without its reading aid (`rPh`). */
function richText(element: XmlElement): CellText {
  const runs = element.children.filter(isElement).flatMap((child) => {
    if (child.name === 't') return { text: plainRun(textOf(child)), raised: undefined };
    if (child.name !== 'r') return [];
    const style = childOf(child, 'rPr');
    const align = style && childOf(style, 'vertAlign')?.attributes.val;
    const text = childrenOf(child, 't')
      .map((t) => plainRun(textOf(t)))
      .join('');
    return { text, raised: align !== undefined && align in RAISED ? (align as Raised) : undefined };
  });
  const plain = runs.map(({ text }) => text).join('');
  if (runs.every(({ raised }) => raised === undefined)) return plain;
  const html = runs.map(({ text, raised }) => {
    const escaped = escapeHtml(text);
    return raised === undefined ? escaped : `<${RAISED[raised]}>${escaped}</${RAISED[raised]}>`;
  });
  const converted = markdownFromHtml(html.join(''), () => null);
  return converted.format === 'plain'
    ? converted
    : { ...converted, notes: [raisedText(), ...converted.notes] };
}

const raisedText = (): string =>
  t('import.excel.raised', 'Raised or lowered letters became a formula.');

function plainRun(text: string): string {
  const decoded = text
    .replace(/_x([\dA-Fa-f]{4})_/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .replace(/\r\n?/g, '\n');
  return storable(decoded);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`).replaceAll('\n', '<br>');
}

/** A row up to its last cell with content; and a number in it with a sign for decimals or thousands. */
function readRow(
  row: XmlElement,
  line: number,
  workbook: Workbook,
): { row: SheetRow; decimal: string | undefined } {
  const fields: string[] = [];
  const cells = new Map<number, ConvertedText>();
  const numbers = new Map<number, number>();
  let decimal: string | undefined;
  let next = 0;
  for (const cell of childrenOf(row, 'c')) {
    const column = columnOf(cell.attributes.r) ?? next;
    next = column + 1;
    if (column >= IMPORT_LIMITS.columnsMax) break;
    while (fields.length < column) fields.push('');
    const { text, rich, note, number } = contentOf(cell, workbook);
    fields[column] = text;
    if (number !== undefined) {
      numbers.set(column, number);
      if (/\d[.,]\d/.test(text)) decimal ??= text;
    }
    const notes =
      note === null
        ? []
        : [
            t(
              /* {cell} is such as B7, {note} a sentence about it */ 'import.excel.atCell',
              'Cell {cell}: {note}',
              { cell: `${columnName(column)}${line}`, note },
            ),
          ];
    if (rich) cells.set(column, rich);
    else if (note !== null) cells.set(column, { text, format: 'plain', notes });
  }
  while (fields.length > 0 && fields.at(-1)?.trim() === '') fields.pop();
  return { row: { line, fields, numbers, ...(cells.size > 0 ? { cells } : {}) }, decimal };
}

/** `B7` is 1. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^([A-Z]{1,3})\d+$/.exec(reference ?? '')?.[1];
  if (letters === undefined) return null;
  return [...letters].reduce((n, letter) => n * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

interface CellContent {
  text: string;
  /** The same with its raised and lowered parts. */
  rich?: ConvertedText;
  /** Why it may not be what its author saw. */
  note: string | null;
  /** The number that is stored, where it is one. */
  number?: number;
}

function contentOf(cell: XmlElement, { texts, formats, from1904 }: Workbook): CellContent {
  const type = cell.attributes.t ?? 'n';
  const inline = childOf(cell, 'is');
  if (type === 'inlineStr' && inline) return ofText(richText(inline));
  const element = childOf(cell, 'v');
  const value = element ? textOf(element) : '';
  if (type === 's') return ofText(texts[Number(value)] ?? '');
  if (type === 'b') {
    const shown = value === '1' ? 'TRUE' : 'FALSE';
    return {
      text: shown,
      note: t(
        /* a cell of a sheet */ 'import.excel.languageOfComputer',
        'A cell is shown in the language of each computer. It was read as “{text}”.',
        { text: shown },
      ),
    };
  }
  if (value === '' && childOf(cell, 'f')) {
    const note = t(
      /* a formula of a sheet */ 'import.excel.noResult',
      'The formula has no stored result. Open and save the file in Excel.',
    );
    return { text: '', note };
  }
  const number = Number(value);
  if (type !== 'n' || value.trim() === '' || !Number.isFinite(number)) return ofText(value);
  const format = formats[Number(cell.attributes.s ?? 0)] ?? GENERAL;
  return { ...shownNumber(number, format, from1904), number };
}

const GENERAL: CellFormat = { code: 'General', isOfComputer: false };

function ofText(content: CellText): CellContent {
  if (typeof content === 'string') return { text: content, note: null };
  const text = content.format === 'plain' ? content.text : plainTextOf(content.text);
  return { text, rich: content, note: null };
}
