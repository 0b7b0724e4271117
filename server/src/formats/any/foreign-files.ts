import { t } from '@invigil/core/texts/i18n';
import { UnreadableFile } from '../imported-file.ts';
import type { Archive } from '../read-archive.ts';

/*
 * Files of other programs that people bring. They are refused by their name, with what to do: their
 * content is recognized, whatever they are called.
 */

const asSheet = (): string =>
  t(/* a file */ 'import.foreign.asSheet', 'Save it as .xlsx or .csv and choose it again.');
const asText = (): string =>
  t(
    /* “that”: the file */ 'import.foreign.asText',
    'Put the questions into a spreadsheet, one per row, or save them as a plain text file in GIFT or Aiken format, and choose that.',
  );
const unpacked = (): string =>
  t(/* an archive */ 'import.foreign.unpacked', 'Unpack it and choose the file inside.');

const refusal = (...sentences: string[]) => new UnreadableFile(sentences.join(' '));

/** Files by the media type in an OpenDocument archive. */
const OPEN_DOCUMENT: [end: string, what: () => string, todo: () => string][] = [
  [
    'spreadsheet',
    () => t('import.foreign.odfSheet', 'This is an OpenDocument spreadsheet.'),
    asSheet,
  ],
  ['text', () => t('import.foreign.odfText', 'This is an OpenDocument text.'), asText],
  [
    'presentation',
    () => t('import.foreign.odfSlides', 'This is an OpenDocument presentation.'),
    asText,
  ],
];

/** Files by a part of an archive. */
const PARTS: [path: RegExp, what: () => string, todo: () => string][] = [
  [
    /^xl\/workbook\.bin$/,
    () => t('import.foreign.xlsb', 'This is a binary Excel workbook (.xlsb).'),
    asSheet,
  ],
  [/^word\/document\d*\.xml$/, () => t('import.foreign.word', 'This is a Word document.'), asText],
  [
    /^ppt\/presentation\.xml$/,
    () => t('import.foreign.powerPoint', 'This is a PowerPoint presentation.'),
    asText,
  ],
  [
    /^Index\/CalculationEngine[^/]*\.iwa$/,
    () => t('import.foreign.numbers', 'This is a Numbers spreadsheet.'),
    asSheet,
  ],
  [
    /^Index(?:\.zip$|\/.*\.iwa$)/,
    () => t('import.foreign.iWork', 'This is a Pages, Numbers or Keynote file.'),
    () =>
      `${t(/* a file, from its program */ 'import.foreign.export', 'Export it first.')} ${asSheet()}`,
  ],
];

/** Throws UnreadableFile for an archive of an office program. */
export async function refuseForeignArchive(archive: Archive): Promise<void> {
  if (archive.has('mimetype') && archive.has('content.xml')) {
    const type = Buffer.from(await archive.read('mimetype'))
      .toString('latin1')
      .trim();
    const found = OPEN_DOCUMENT.find(([end]) => type.replace(/-template$/, '').endsWith(`.${end}`));
    if (found) throw refusal(found[1](), found[2]());
  }
  const part = PARTS.find(([path]) => archive.paths.some((one) => path.test(one)));
  if (part) throw refusal(part[1](), part[2]());
}

/** Files by the name of a stream in a file of Office 97 to 2003. */
const STREAMS: [name: string, what: () => string, todo: () => string][] = [
  [
    'EncryptedPackage',
    () => t('import.foreign.withPassword', 'This is an Office file with a password.'),
    () =>
      t(
        /* a file */ 'import.foreign.withoutPassword',
        'Save it without the password and choose it again.',
      ),
  ],
  ['WordDocument', () => t('import.foreign.doc', 'This is an old Word document (.doc).'), asText],
  [
    'PowerPoint Document',
    () => t('import.foreign.ppt', 'This is an old PowerPoint presentation (.ppt).'),
    asText,
  ],
  ['Workbook', () => t('import.foreign.xls', 'This is an old Excel workbook (.xls).'), asSheet],
  ['Book', () => t('import.foreign.xls', 'This is an old Excel workbook (.xls).'), asSheet],
];

/** Files by their first bytes. */
const BEGINNINGS: [bytes: string, what: () => string, todo: () => string][] = [
  ['%PDF-', () => t('import.foreign.pdf', 'This is a PDF.'), asText],
  ['{\\rtf', () => t('import.foreign.rtf', 'This is a rich text document (.rtf).'), asText],
  ['\x89PNG', () => t('import.foreign.picture', 'This is a picture.'), asText],
  ['\xff\xd8\xff', () => t('import.foreign.picture', 'This is a picture.'), asText],
  ['GIF8', () => t('import.foreign.picture', 'This is a picture.'), asText],
  ['7z\xbc\xaf', () => t('import.foreign.sevenZip', 'This is a 7z archive.'), unpacked],
  ['Rar!', () => t('import.foreign.rar', 'This is a RAR archive.'), unpacked],
  ['\x1f\x8b', () => t('import.foreign.gzip', 'This is a gzip archive.'), unpacked],
];

const OLD_OFFICE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';

/** Throws UnreadableFile for a file of an old office program, a PDF and the like. */
export function refuseForeignFile(bytes: Uint8Array, extension: string | undefined): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = file.toString('latin1', 0, 8);
  const known = BEGINNINGS.find(([sign]) => start.startsWith(sign));
  if (known) throw refusal(known[1](), known[2]());
  if (start !== OLD_OFFICE) return;
  const stream = STREAMS.find(([name]) => file.includes(Buffer.from(`${name}\0`, 'utf16le')));
  if (stream) throw refusal(stream[1](), stream[2]());
  const isSheet = extension?.startsWith('xl') === true;
  throw refusal(
    t('import.foreign.oldOffice', 'This is a file of an old Office program.'),
    ...(isSheet ? [asSheet()] : [asSheet(), asText()]),
  );
}

/** Throws UnreadableFile for markup that spreadsheets read, by the name of its root element. */
export function refuseForeignMarkup(root: string | undefined, extension: string | undefined): void {
  if (root === 'Workbook')
    throw refusal(
      t('import.foreign.excel2003', 'This is an XML spreadsheet of Excel 2003.'),
      asSheet(),
    );
  if (/^(?:html|table)$/i.test(root ?? '') && extension?.startsWith('xl')) {
    throw refusal(
      t('import.foreign.webPage', 'This is a web page with the name of an Excel workbook.'),
      t(/* a file */ 'import.foreign.openInExcel', 'Open it in Excel.'),
      asSheet(),
    );
  }
  if (root === 'document' && extension?.startsWith('fod')) {
    throw refusal(t('import.foreign.odf', 'This is an OpenDocument file.'), asSheet());
  }
}
