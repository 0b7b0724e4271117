import { type FileFormat, IMPORT_LIMITS } from '@invigil/core/domain/questions/question-files';
import { t } from '@invigil/core/texts/i18n';
import { readGift } from '../gift/read-gift.ts';
import {
  type ImportSink,
  type ReadFile,
  type ReadSummary,
  refuseTooMany,
  UnreadableFile,
  type UploadedFile,
} from '../imported-file.ts';
import { readMoodleXml } from '../moodle/read-moodle-xml.ts';
import { readQti } from '../qti/read-qti.ts';
import { AIKEN_ANSWER, readAiken } from '../read-aiken.ts';
import { isArchive, openArchive } from '../read-archive.ts';
import { readCsv } from '../sheets/read-csv.ts';
import { readXlsx } from '../sheets/read-xlsx.ts';
import { decodeText } from '../text/decode-text.ts';
import { refuseForeignArchive, refuseForeignFile, refuseForeignMarkup } from './foreign-files.ts';

const whatIsRead = (): string =>
  t(
    /* names of formats */ 'import.whatIsRead',
    'Questions can be read from CSV, Excel (.xlsx), GIFT, Aiken, Moodle XML, QTI 1.2 to 3.0, and Canvas or Common Cartridge exports.',
  );

const READERS = {
  csv: readCsv,
  xlsx: readXlsx,
  gift: readGift,
  aiken: readAiken,
  moodle_xml: readMoodleXml,
  qti: readQti,
} satisfies Record<string, ReadFile>;
type Reader = keyof typeof READERS;

/** Extensions that files of a format have; with another one, its problems say what was found. */
const EXTENSIONS: Record<FileFormat, { name: () => string; extensions: readonly string[] }> = {
  csv: {
    name: () => t(/* stands in “its content is a CSV file” */ 'import.format.csv', 'a CSV file'),
    extensions: ['csv', 'tsv', 'txt'],
  },
  xlsx: {
    name: () =>
      t(
        /* stands in “its content is an Excel workbook” */ 'import.format.xlsx',
        'an Excel workbook',
      ),
    extensions: ['xlsx', 'xlsm'],
  },
  gift: {
    name: () => t(/* stands in “its content is a GIFT file” */ 'import.format.gift', 'a GIFT file'),
    extensions: ['gift', 'txt'],
  },
  aiken: {
    name: () =>
      t(/* stands in “its content is an Aiken file” */ 'import.format.aiken', 'an Aiken file'),
    extensions: ['aiken', 'txt'],
  },
  moodle_xml: {
    name: () =>
      t(
        /* stands in “its content is a Moodle XML file” */ 'import.format.moodleXml',
        'a Moodle XML file',
      ),
    extensions: ['xml'],
  },
  qti_1_2: { name: () => 'QTI 1.2', extensions: ['xml', 'qti', 'zip', 'imscc'] },
  common_cartridge: {
    name: () =>
      t(
        /* stands in “its content is a Common Cartridge” */ 'import.format.commonCartridge',
        'a Common Cartridge',
      ),
    extensions: ['zip', 'imscc'],
  },
  qti_2: { name: () => 'QTI 2', extensions: ['xml', 'zip', 'imscc'] },
  qti_3: { name: () => 'QTI 3.0', extensions: ['xml', 'zip'] },
};

/**
 * Reads a question file of any format, recognized by its content. Throws UnreadableFile; items that the
 * sink has got by then are void.
 */
export async function readQuestionFile(file: UploadedFile, sink: ImportSink): Promise<ReadSummary> {
  if (file.firstRow !== undefined) return readCsv(file, sink);
  const extension = /\.([^./\\]{1,20})$/.exec(file.name)?.[1]?.toLowerCase();
  const read = await READERS[await readerOf(file, extension)](file, checked(sink));
  const { name, extensions } = EXTENSIONS[read.format];
  if (extension === undefined || extensions.includes(extension)) return read;
  const note = t(
    /* {extension} is that of its name; {format}: “a CSV file” */ 'import.otherFormat',
    'The file ends in .{extension}, but its content is {format}, and was read as that.',
    { extension, format: name() },
  );
  return { ...read, problems: [note, ...read.problems] };
}

/** Passes on each image once, and not too many items. */
function checked(sink: ImportSink): ImportSink {
  const hashes = new Set<string>();
  let items = 0;
  return {
    item: (item) => {
      items += 1;
      refuseTooMany(items);
      sink.item(item);
    },
    image: (hash, bytes) => {
      if (!hashes.has(hash)) sink.image(hash, bytes);
      hashes.add(hash);
    },
  };
}

async function readerOf(
  { bytes, encoding }: UploadedFile,
  extension: string | undefined,
): Promise<Reader> {
  if (bytes.length === 0) throw new UnreadableFile(t('import.empty', 'The file is empty.'));
  if (isArchive(bytes)) {
    const archive = await openArchive(bytes);
    if (archive.has('xl/workbook.xml')) return 'xlsx';
    await refuseForeignArchive(archive);
    const hasQuestions = archive.paths.some((path) => /\.(?:xml|qti)$/i.test(path));
    if (!hasQuestions && archive.paths.some((path) => /\.(?:zip|imscc)$/i.test(path))) {
      throw new UnreadableFile(
        t(
          'import.archive.nested',
          'The archive has archives inside. Unpack it, and import each of them.',
        ),
      );
    }
    if (!hasQuestions) throw unknown();
    return 'qti';
  }
  refuseForeignFile(bytes, extension);
  const start = decodeText(startOf(bytes), encoding).text;
  if (/^\s*<(?:\?xml|!--|!DOCTYPE|[a-z])/i.test(start)) {
    const root = /<([a-z_][\w.-]*:)?([a-z_][\w.-]*)/i.exec(
      start.replace(/<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<![^>]*>/g, ''),
    )?.[2];
    refuseForeignMarkup(root, extension);
    if (root === 'html') throw unknown();
    return root === 'quiz' ? 'moodle_xml' : 'qti';
  }
  if (bytes.length > IMPORT_LIMITS.textMaxBytes) {
    const most = IMPORT_LIMITS.textMaxBytes / 1024 / 1024;
    throw new UnreadableFile(
      t(
        'import.textTooLarge',
        'A text file can have at most {megabytes} MB. Split it into smaller ones.',
        { megabytes: most },
      ),
    );
  }
  return textReader(start, extension === 'csv' || extension === 'tsv');
}

/** Enough to recognize a format; whole characters of two bytes. */
function startOf(bytes: Uint8Array): Uint8Array {
  let end = Math.min(bytes.length, 65_536);
  // A character of UTF-8 that is cut would make the whole text look like windows-1252.
  while (end < bytes.length && end > 65_530 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}

/** @param isNamedCsv the file's name says that it is a table; another format has to be obvious */
function textReader(text: string, isNamedCsv: boolean): Reader {
  if (text.includes('\0') || text.includes('\ufffd\ufffd\ufffd')) throw unknown();
  const lines = linesOf(text);
  const rows = linesOf(text.replace(/"(?:[^"]|"")*"/g, '')).filter((line) => line !== '');
  const separated = rows.filter((line) => (line.match(/[,;\t]/g)?.length ?? 0) >= 2);
  const isTable = separated.length > rows.length / 2;
  if (isTable && isNamedCsv) return 'csv';
  const hasOptions = lines.some((line) => /^A(?:[.)]\s|\))/.test(line));
  if (hasOptions && lines.some((line) => AIKEN_ANSWER.test(line))) return 'aiken';
  const isGift =
    lines.some((line) => /^(?:::|\$CATEGORY:)/.test(line)) ||
    /\{\s*(?:[=~#}]|(?:T|F|TRUE|FALSE)\s*[#}])/i.test(text);
  // A row of a spreadsheet may have braces too; no GIFT file has separators at each line.
  if (isGift && (!isTable || /\{\s*[=~#]/.test(text))) return 'gift';
  if (separated.length > 0) return 'csv';
  throw unknown();
}

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim());
}

function unknown(): UnreadableFile {
  const problem = t('import.unknown', 'This file has no questions in a form that is known.');
  return new UnreadableFile(`${problem} ${whatIsRead()}`);
}
