import { once } from 'node:events';
import { createDeflateRaw } from 'node:zlib';
import { isRightToLeft, numberText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { strToU8, ZipPassThrough } from 'fflate';
import { element, escapeXml, type WrittenXml, written, xmlFile } from '../xml/write-xml.ts';
import { ZipPieces } from '../zip-pieces.ts';

/** A cell: text (never a formula), a number, or a moment in the time zone of the file; `''` is blank. */
export type SheetCell = string | number | Date;

export interface Sheet {
  name: string;
  head: readonly string[];
  /** Rows after the head, in portions that are written one by one. */
  portions: AsyncIterable<readonly (readonly SheetCell[])[]>;
}

/** Excel's own limits; the rows that follow continue on another sheet. */
const ROWS_PER_SHEET = 1_048_576;
const CELL_MAX_CHARACTERS = 32_767;
const cutText = () =>
  t(/* at the end of a cell */ 'table.cut', '… (cut: a cell holds {most} characters)', {
    most: numberText(CELL_MAX_CHARACTERS),
  });
/** Excel refuses these in the name of a sheet, and more than 31 characters: its number needs some. */
const NOT_IN_NAMES = /[[\]:*?/\\]/g;
const NAME_CHARACTERS = 28;

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const SLICE_CHARACTERS = 65_536;

/** The styles of `styles()` by their place. */
const STYLE = { date: 1, head: 2 };
/** Characters: about a date, or an address, without dragging; more for a long head, which may be a whole question. */
const COLUMN_WIDTH = { min: 22, max: 40 };

/**
 * An Excel workbook (ECMA-376), in constant memory for any number of rows. It is compressed outside the
 * event loop. Texts are texts, whatever they begin with. Its columns begin where the language in use does.
 *
 * @param wallTime what clocks show at a moment, in milliseconds as if it were UTC
 */
export async function* writeXlsx(
  sheet: Sheet,
  wallTime: (moment: Date) => number,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipPieces();
  const dayOf = (moment: Date) => (wallTime(moment) - EPOCH_MS) / DAY_MS;
  const row = (cells: readonly SheetCell[], n: number, style?: number) =>
    `<row r="${n}">${cells.map((cell) => cellXml(cell, dayOf, style)).join('')}</row>`;
  const names: string[] = [];
  let rows = ROWS_PER_SHEET;
  let file: DeflatedFile | undefined;
  try {
    const begin = async () => {
      await file?.end('</sheetData></worksheet>');
      const name = sheet.name.replace(NOT_IN_NAMES, ' ').slice(0, NAME_CHARACTERS);
      names.push(names.length === 0 ? name : `${name} ${names.length + 1}`);
      file = new DeflatedFile(`xl/worksheets/sheet${names.length}.xml`);
      zip.addFile(file);
      await file.write(sheetStart(sheet.head) + row(sheet.head, 1, STYLE.head));
      rows = 1;
      return file;
    };
    file = await begin();
    for await (const portion of sheet.portions) {
      let text = '';
      for (const cells of portion) {
        if (rows === ROWS_PER_SHEET) {
          await file.write(text);
          text = '';
          file = await begin();
        }
        rows += 1;
        text += row(cells, rows);
        // Other requests have their turn while it is compressed.
        if (text.length < SLICE_CHARACTERS) continue;
        await file.write(text);
        text = '';
      }
      await file.write(text);
      yield* zip.take();
    }
    await file.end('</sheetData></worksheet>');
    for (const [path, xml] of parts(names)) zip.add(path, strToU8(xmlFile(xml)), true);
    zip.end();
    yield* zip.take();
  } finally {
    file?.close();
  }
}

function cellXml(cell: SheetCell, dayOf: (moment: Date) => number, style?: number): string {
  if (cell === '') return '<c/>';
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
  if (cell instanceof Date) return `<c s="${STYLE.date}"><v>${dayOf(cell)}</v></c>`;
  const styled = style === undefined ? '' : ` s="${style}"`;
  return `<c t="inlineStr"${styled}><is><t xml:space="preserve">${textXml(cell)}</t></is></c>`;
}

/** `_x000D_` is how a workbook writes a character that XML cannot hold; a text of that form is escaped. */
function textXml(text: string): string {
  return escapeXml(
    (text.length > CELL_MAX_CHARACTERS ? cut(text) : text)
      .replace(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters meant
      .replace(/[\0-\x08\x0b-\x1f]/g, (c) => `_x${hex(c)}_`),
  );
}

function cut(text: string): string {
  const end = cutText();
  return text.slice(0, CELL_MAX_CHARACTERS - end.length).toWellFormed() + end;
}

const hex = (c: string) => c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');

/** Day 0 of a spreadsheet: a date is the number of days since then. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
const DAY_MS = 86_400_000;

function sheetStart(head: readonly string[]): string {
  const pane = element('pane', {
    ySplit: 1,
    topLeftCell: 'A2',
    activePane: 'bottomLeft',
    state: 'frozen',
  });
  const view = { ...(isRightToLeft() ? { rightToLeft: 1 } : {}), workbookViewId: 0 };
  const views = element('sheetViews', {}, element('sheetView', view, pane));
  const columns = head.map(({ length }, i) => {
    const width = Math.min(COLUMN_WIDTH.max, Math.max(COLUMN_WIDTH.min, length + 2));
    return element('col', { min: i + 1, max: i + 1, width, customWidth: 1 });
  });
  const cols = element('cols', {}, columns);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<worksheet xmlns="${MAIN}">${views.xml}${cols.xml}<sheetData>`;
}

/** Everything besides the sheets. */
function parts(names: readonly string[]): [string, WrittenXml][] {
  const type = (PartName: string, kind: string) =>
    element('Override', { PartName, ContentType: `${CONTENT}.${kind}+xml` });
  const relation = (Id: string, kind: string, Target: string) =>
    element('Relationship', { Id, Type: `${DOCUMENT}/${kind}`, Target });
  const relations = (...content: WrittenXml[]) =>
    element('Relationships', { xmlns: `${PACKAGE}/relationships` }, ...content);
  const ids = names.map((name, i) => ({ name, n: i + 1, path: `worksheets/sheet${i + 1}.xml` }));
  return [
    [
      '[Content_Types].xml',
      element(
        'Types',
        { xmlns: `${PACKAGE}/content-types` },
        element('Default', {
          Extension: 'rels',
          ContentType: 'application/vnd.openxmlformats-package.relationships+xml',
        }),
        type('/xl/workbook.xml', 'sheet.main'),
        type('/xl/styles.xml', 'styles'),
        ids.map(({ path }) => type(`/xl/${path}`, 'worksheet')),
      ),
    ],
    ['_rels/.rels', relations(relation('rId1', 'officeDocument', 'xl/workbook.xml'))],
    [
      'xl/workbook.xml',
      element(
        'workbook',
        { xmlns: MAIN, 'xmlns:r': DOCUMENT },
        element(
          'sheets',
          {},
          ids.map(({ name, n }) => element('sheet', { name, sheetId: n, 'r:id': `rId${n}` })),
        ),
      ),
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relations(
        ...ids.map(({ n, path }) => relation(`rId${n}`, 'worksheet', path)),
        relation(`rId${ids.length + 1}`, 'styles', 'styles.xml'),
      ),
    ],
    ['xl/styles.xml', styles()],
  ];
}

/** Plain, a date with its time, and bold. */
function styles(): WrittenXml {
  const font = (bold: string) => `<font>${bold}<sz val="11"/><name val="Calibri"/></font>`;
  const fill = (pattern: string) => `<fill><patternFill patternType="${pattern}"/></fill>`;
  const edges = '<left/><right/><top/><bottom/><diagonal/>';
  return element(
    'styleSheet',
    { xmlns: MAIN },
    written(
      '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>' +
        `<fonts count="2">${font('')}${font('<b/>')}</fonts>` +
        `<fills count="2">${fill('none')}${fill('gray125')}</fills>` +
        `<borders count="1"><border>${edges}</border></borders>` +
        '<cellStyleXfs count="1"><xf/></cellStyleXfs>' +
        '<cellXfs count="3"><xf/><xf numFmtId="164" applyNumberFormat="1"/><xf fontId="1" applyFont="1"/></cellXfs>' +
        '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
    ),
  );
}

/** A file of the archive that zlib compresses in its own threads. */
class DeflatedFile extends ZipPassThrough {
  private readonly deflate = createDeflateRaw();

  constructor(path: string) {
    super(path);
    this.compression = 8;
    this.deflate.on('data', (piece: Uint8Array) => this.ondata(null, new Uint8Array(piece), false));
  }

  protected override process(): void {
    // Called by `push`, which counts and sums up; the bytes go through `deflate`.
  }

  /** Resolves when zlib has taken the text, so that no more than one portion waits. */
  async write(text: string): Promise<void> {
    if (text === '') return;
    const bytes = strToU8(text);
    this.push(bytes, false);
    if (!this.deflate.write(bytes)) await once(this.deflate, 'drain');
  }

  async end(text: string): Promise<void> {
    await this.write(text);
    this.push(new Uint8Array(), true);
    this.deflate.end();
    await once(this.deflate, 'end');
    this.ondata(null, new Uint8Array(), true);
  }

  close(): void {
    this.deflate.destroy();
  }
}
