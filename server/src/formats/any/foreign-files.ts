import { UnreadableFile } from '../imported-file.ts';
import type { Archive } from '../read-archive.ts';

/*
 * Files of other programs that people bring. They are refused by their name, with what to do: their
 * content is recognized, whatever they are called.
 */

const SHEET = 'Save it as .xlsx or .csv and choose it again.';
const TEXT =
  'Put the questions into a spreadsheet, one per row, or save them as a plain text file in GIFT or Aiken format, and choose that.';

const refusal = (what: string, todo: string) => new UnreadableFile(`This is ${what}. ${todo}`);

/** Files by the media type in an OpenDocument archive. */
const OPEN_DOCUMENT: [end: string, what: string, todo: string][] = [
  ['spreadsheet', 'an OpenDocument spreadsheet', SHEET],
  ['text', 'an OpenDocument text', TEXT],
  ['presentation', 'an OpenDocument presentation', TEXT],
];

/** Files by a part of an archive. */
const PARTS: [path: RegExp, what: string, todo: string][] = [
  [/^xl\/workbook\.bin$/, 'a binary Excel workbook (.xlsb)', SHEET],
  [/^word\/document\d*\.xml$/, 'a Word document', TEXT],
  [/^ppt\/presentation\.xml$/, 'a PowerPoint presentation', TEXT],
  [/^Index\/CalculationEngine[^/]*\.iwa$/, 'a Numbers spreadsheet', SHEET],
  [/^Index(?:\.zip$|\/.*\.iwa$)/, 'a Pages, Numbers or Keynote file', `Export it first. ${SHEET}`],
];

/** Throws UnreadableFile for an archive of an office program. */
export async function refuseForeignArchive(archive: Archive): Promise<void> {
  if (archive.has('mimetype') && archive.has('content.xml')) {
    const type = Buffer.from(await archive.read('mimetype'))
      .toString('latin1')
      .trim();
    const found = OPEN_DOCUMENT.find(([end]) => type.replace(/-template$/, '').endsWith(`.${end}`));
    if (found) throw refusal(found[1], found[2]);
  }
  const part = PARTS.find(([path]) => archive.paths.some((one) => path.test(one)));
  if (part) throw refusal(part[1], part[2]);
}

/** Files by the name of a stream in a file of Office 97 to 2003. */
const STREAMS: [name: string, what: string, todo: string][] = [
  [
    'EncryptedPackage',
    'an Office file with a password',
    'Save it without the password and choose it again.',
  ],
  ['WordDocument', 'an old Word document (.doc)', TEXT],
  ['PowerPoint Document', 'an old PowerPoint presentation (.ppt)', TEXT],
  ['Workbook', 'an old Excel workbook (.xls)', SHEET],
  ['Book', 'an old Excel workbook (.xls)', SHEET],
];

/** Files by their first bytes. */
const BEGINNINGS: [bytes: string, what: string, todo: string][] = [
  ['%PDF-', 'a PDF', TEXT],
  ['{\\rtf', 'a rich text document (.rtf)', TEXT],
  ['\x89PNG', 'a picture', TEXT],
  ['\xff\xd8\xff', 'a picture', TEXT],
  ['GIF8', 'a picture', TEXT],
  ['7z\xbc\xaf', 'a 7z archive', 'Unpack it and choose the file inside.'],
  ['Rar!', 'a RAR archive', 'Unpack it and choose the file inside.'],
  ['\x1f\x8b', 'a gzip archive', 'Unpack it and choose the file inside.'],
];

const OLD_OFFICE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';

/** Throws UnreadableFile for a file of an old office program, a PDF and the like. */
export function refuseForeignFile(bytes: Uint8Array, extension: string | undefined): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = file.toString('latin1', 0, 8);
  const known = BEGINNINGS.find(([sign]) => start.startsWith(sign));
  if (known) throw refusal(known[1], known[2]);
  if (start !== OLD_OFFICE) return;
  const stream = STREAMS.find(([name]) => file.includes(Buffer.from(`${name}\0`, 'utf16le')));
  if (stream) throw refusal(stream[1], stream[2]);
  const isSheet = extension?.startsWith('xl') === true;
  throw refusal('a file of an old Office program', isSheet ? SHEET : `${SHEET} ${TEXT}`);
}

/** Throws UnreadableFile for markup that spreadsheets read, by the name of its root element. */
export function refuseForeignMarkup(root: string | undefined, extension: string | undefined): void {
  if (root === 'Workbook') throw refusal('an XML spreadsheet of Excel 2003', SHEET);
  if (/^(?:html|table)$/i.test(root ?? '') && extension?.startsWith('xl')) {
    throw refusal('a web page with the name of an Excel workbook', `Open it in Excel. ${SHEET}`);
  }
  if (root === 'document' && extension?.startsWith('fod')) {
    throw refusal('an OpenDocument file', SHEET);
  }
}
