import { readAll } from '@invigil/testkit/running-server';
import { strToU8, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { readQuestionFile } from './detect-format.ts';

const zip = (parts: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])));
const openDocument = (kind: string) =>
  zip({ mimetype: `application/vnd.oasis.opendocument.${kind}`, 'content.xml': '<x/>' });
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
  ['a.docx', zip({ 'word/document.xml': '<w/>' }), 'This is a Word document.', false],
  ['a.xlsb', zip({ 'xl/workbook.bin': 'x' }), 'This is a binary Excel workbook (.xlsb).', true],
  [
    'a.numbers',
    zip({ 'Index/CalculationEngine-1.iwa': 'x' }),
    'This is a Numbers spreadsheet.',
    true,
  ],
  ['a.pdf', Buffer.from('%PDF-1.7 x'), 'This is a PDF.', false],
  ['a.rtf', Buffer.from('{\\rtf1 x}'), 'This is a rich text document (.rtf).', false],
  [
    'a.xls',
    Buffer.from('<html><table><tr><td>Q</table>'),
    'This is a web page with the name of',
    true,
  ],
  ['a.xls', Buffer.from('<?xml version="1.0"?><Workbook/>'), 'This is an XML spreadsheet of', true],
])('%s is refused by its name, with what to do', async (name, bytes, what, isSheet) => {
  const error = await readAll(readQuestionFile, { name, bytes }).catch((one: Error) => one.message);
  expect(error).toContain(what);
  expect(error).toContain(
    isSheet ? 'Save it as .xlsx or .csv and choose it again.' : 'into a spreadsheet, one per row',
  );
});

it('a workbook with a password is told so', async () => {
  const bytes = oldOffice('EncryptedPackage');
  await expect(readAll(readQuestionFile, { name: 'a.xlsx', bytes })).rejects.toThrow(
    'This is an Office file with a password. Save it without the password and choose it again.',
  );
});
