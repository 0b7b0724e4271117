import { readAll, type readOne, zipOf } from '@invigil/testkit/question-files';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UnreadableFile } from '../imported-file.ts';
import { readQuestionFile } from './detect-format.ts';

const read = (name: string, bytes: Parameters<typeof readOne>[1]) =>
  readAll(readQuestionFile, { name, bytes });

const AIKEN = 'What?\nA. x\nB. y\nANSWER: A\n';
const WORKBOOK: Record<string, string> = {
  'xl/workbook.xml': '<workbook/>',
  'xl/worksheets/sheet1.xml': `<worksheet>${['Q', 'a', 'b', 'a'].map((_, i) => `<row r="${i + 1}">${['Q', 'a', 'b', 'a'].map((v) => `<c t="inlineStr"><is><t>${v}${i === 0 ? 'x' : ''}</t></is></c>`).join('')}</row>`).join('')}</worksheet>`,
};

describe('formats by their content', () => {
  it.each([
    ['aiken', AIKEN],
    ['aiken', `\ufeff${AIKEN}`],
    ['aiken', Buffer.from(`\ufeff${AIKEN}`, 'utf16le')],
    ['gift', '// a comment\nWho, where, when?{=no one, ever ~x}\n'],
    ['gift', 'True, or false?{T}\n'],
    ['csv', 'question;a;b;correct\nWho?;x;{y};A\n'],
    ['csv', 'question\ta\tb\tcorrect\nWho?\tx\ty\tA\n'],
    [
      'moodle_xml',
      '<?xml version="1.0"?><!-- question: 1 --><quiz><question type="essay"/></quiz>',
    ],
    ['xlsx', WORKBOOK],
  ])('%s', async (format, bytes) => {
    expect((await read('name', bytes)).format).toBe(format);
  });

  it('takes a table with the signs of other formats for one by its name', async () => {
    const table = 'Question,A,B,Answer\n"What is\n::this:: {=5}?",{=x},"A. y\nANSWER: A",A\n';
    expect((await read('q.csv', table)).format).toBe('csv');
    expect((await read('q.csv', 'Who, where, when?\n{=no one ~x}\n')).format).toBe('gift');
    expect((await read('q.csv', AIKEN)).format).toBe('aiken');
  });

  it('notes an extension that does not fit', async () => {
    expect((await read('a.txt', AIKEN)).problems).toEqual([]);
    expect((await read('exam.csv', AIKEN)).problems).toEqual([
      'The file ends in .csv, but its content is an Aiken file, and was read as that.',
    ]);
  });

  it.each([
    ['nothing', ''],
    ['a sentence', 'Dear all, please find the questions below'],
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')],
    ['a web page', '<!DOCTYPE html><html><body>{=a ~b}</body></html>'],
    ['a document', { 'word/document.xml': '<w/>' }],
    ['an archive of pictures', { 'a.png': 'x' }],
    ['unknown XML', '<rss/>'],
  ])('refuses %s with a sentence', async (_, bytes) => {
    await expect(read('a', bytes)).rejects.toThrow(UnreadableFile);
  });

  /** A file of each format that is text, or the texts of its archive by their paths. */
  const SAMPLES: [string, Record<string, string>][] = [
    ['Aiken', { '': `${AIKEN}\nQ2\nA) x\nB) y\nANSWER: B\n` }],
    ['GIFT', { '': '$CATEGORY: a/b\n\n::T::[html]Q{=1#no ~%50%2}\n\nN{#=3:1 =%50%4..5}\n' }],
    ['CSV', { '': 'question;a;b;correct\n"Who ""?""";x;{y};A\n' }],
    [
      'Moodle XML',
      {
        '': `<quiz><question type="multichoice"><questiontext format="html"><text><![CDATA[<p>Q?</p>]]></text></questiontext>
          <single>true</single><answer fraction="100"><text>a</text></answer><answer fraction="0"><text>b</text></answer></question></quiz>`,
      },
    ],
    ['Excel', WORKBOOK],
  ];

  it.each(SAMPLES)('reads or refuses any mutation of %s', async (_, sample) => {
    const mutation = fc.tuple(
      fc.constantFrom(...Object.keys(sample)),
      fc.nat(400),
      fc.nat(30),
      fc.oneof(
        fc.string(),
        fc.constantFrom('<', '</text>', '&x;', ']]>', 'fraction="x"', '9'.repeat(20)),
        fc.constantFrom('{', '}', '\n\n', '%', '\\', '####', '"', '\0', 'ANSWER:', 'A. x', 't="s"'),
      ),
    );
    const damage = fc.array(fc.tuple(fc.nat(1_000), fc.nat(255)), { maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { maxLength: 4 }), damage, async (mutations, damages) => {
        const parts = { ...sample };
        for (const [path, at, cut, add] of mutations) {
          const text = parts[path] ?? '';
          const from = at % (text.length + 1);
          parts[path] = text.slice(0, from) + add + text.slice(from + cut);
        }
        const bytes = '' in parts ? Buffer.from(parts['']) : Buffer.from(zipOf(parts));
        for (const [at, value] of damages) bytes[at % bytes.length] = value;
        await read('a', bytes).catch((error: unknown) =>
          expect(error).toBeInstanceOf(UnreadableFile),
        );
      }),
      { numRuns: 200 },
    );
  });
});

const openDocument = (kind: string) => ({
  mimetype: `application/vnd.oasis.opendocument.${kind}`,
  'content.xml': '<x/>',
});
/** A file of Office 97 to 2003 with a stream of that name in its directory. */
const oldOffice = (stream: string) =>
  Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(1_000),
    Buffer.from(`${stream}\0`, 'utf16le'),
  ]);

it.each([
  ['a.ods', openDocument('spreadsheet'), 'This is an OpenDocument spreadsheet.', true],
  ['a.csv', openDocument('spreadsheet'), 'This is an OpenDocument spreadsheet.', true],
  ['a.odt', openDocument('text'), 'This is an OpenDocument text.', false],
  ['a.xls', oldOffice('Workbook'), 'This is an old Excel workbook (.xls).', true],
  ['a', oldOffice('Book'), 'This is an old Excel workbook (.xls).', true],
  ['a.doc', oldOffice('WordDocument'), 'This is an old Word document (.doc).', false],
  ['a.xls', oldOffice('Nothing'), 'This is a file of an old Office program.', true],
  ['a.docx', { 'word/document.xml': '<w/>' }, 'This is a Word document.', false],
  ['a.xlsb', { 'xl/workbook.bin': 'x' }, 'This is a binary Excel workbook (.xlsb).', true],
  ['a.numbers', { 'Index/CalculationEngine-1.iwa': 'x' }, 'This is a Numbers spreadsheet.', true],
  ['a.pdf', '%PDF-1.7 x', 'This is a PDF.', false],
  ['a.rtf', '{\\rtf1 x}', 'This is a rich text document (.rtf).', false],
  ['a.xls', '<html><table><tr><td>Q</table>', 'This is a web page with the name of', true],
  ['a.xls', '<?xml version="1.0"?><Workbook/>', 'This is an XML spreadsheet of', true],
])('%s is refused by its name, with what to do', async (name, bytes, what, isSheet) => {
  const error = await read(name, bytes).catch((one: Error) => one.message);
  expect(error).toContain(what);
  expect(error).toContain(
    isSheet ? 'Save it as .xlsx or .csv and choose it again.' : 'into a spreadsheet, one per row',
  );
});

it('a workbook with a password is told so', async () => {
  const bytes = oldOffice('EncryptedPackage');
  await expect(read('a.xlsx', bytes)).rejects.toThrow(
    'This is an Office file with a password. Save it without the password and choose it again.',
  );
});
