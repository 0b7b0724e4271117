import { readAll } from '@invigil/testkit/running-server';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { UnreadableFile } from '../imported-file.ts';
import { readQuestionFile } from './detect-format.ts';

const read = (name: string, bytes: Uint8Array | string) =>
  readAll(readQuestionFile, {
    name,
    bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes,
  });

const AIKEN = 'What?\nA. x\nB. y\nANSWER: A\n';
const WORKBOOK: Record<string, string> = {
  'xl/workbook.xml': '<workbook/>',
  'xl/worksheets/sheet1.xml': `<worksheet>${['Q', 'a', 'b', 'a'].map((_, i) => `<row r="${i + 1}">${['Q', 'a', 'b', 'a'].map((v) => `<c t="inlineStr"><is><t>${v}${i === 0 ? 'x' : ''}</t></is></c>`).join('')}</row>`).join('')}</worksheet>`,
};
const zip = (parts: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])));

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
    ['xlsx', zip(WORKBOOK)],
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
    ['a document', zip({ 'word/document.xml': '<w/>' })],
    ['an archive of pictures', zip({ 'a.png': 'x' })],
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
        const bytes = '' in parts ? Buffer.from(parts['']) : zip(parts);
        for (const [at, value] of damages) bytes[at % bytes.length] = value;
        await read('a', bytes).catch((error: unknown) =>
          expect(error).toBeInstanceOf(UnreadableFile),
        );
      }),
      { numRuns: 200 },
    );
  });
});
