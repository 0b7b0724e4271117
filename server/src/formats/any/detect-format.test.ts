import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { EXPORT_FORMATS, type ExportFormat } from '@invigil/core/domain/questions/question-files';
import { readAll } from '@invigil/testkit/running-server';
import { inForm } from '@invigil/testkit/test-form';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { ExportedQuestion } from '../exported-question.ts';
import { UnreadableFile } from '../imported-file.ts';
import { readQuestionFile } from './detect-format.ts';
import { cannotHold, writeQuestionFile } from './write-format.ts';

const read = (name: string, bytes: Uint8Array | string) =>
  readAll(readQuestionFile, {
    name,
    bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes,
  });

const questions = (count: number): ExportedQuestion[] =>
  Array.from({ length: count }, (_, i) => ({
    definition: plainDefinition(
      `Question ${i}, what is it?`,
      ['One', 'Two', 'Three', 'Four'],
      'Three',
    ),
    title: `Question ${i}`,
    tags: [],
    categoryPath: [],
  }));
const EXTENSION: Record<ExportFormat, string> = {
  csv: 'csv',
  gift: 'gift',
  moodle_xml: 'xml',
  qti_3: 'zip',
};

const AIKEN = 'What?\nA. x\nB. y\nANSWER: A\n';
const WORKBOOK = {
  'xl/workbook.xml': strToU8('<workbook/>'),
  'xl/worksheets/sheet1.xml': strToU8(
    `<worksheet>${['Q', 'a', 'b', 'a'].map((_, i) => `<row r="${i + 1}">${['Q', 'a', 'b', 'a'].map((v) => `<c t="inlineStr"><is><t>${v}${i === 0 ? 'x' : ''}</t></is></c>`).join('')}</row>`).join('')}</worksheet>`,
  ),
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
    ['xlsx', zipSync(WORKBOOK)],
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
    ['a document', zipSync({ 'word/document.xml': strToU8('<w/>') })],
    ['an archive of pictures', zipSync({ 'a.png': strToU8('x') })],
    ['unknown XML', '<rss/>'],
  ])('refuses %s with a sentence', async (_, bytes) => {
    await expect(read('a', bytes)).rejects.toThrow(UnreadableFile);
  });

  it('reads or refuses any bytes', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc
        .array(
          fc.constantFrom(
            '<quiz>',
            '<?xml',
            'PK\x03\x04',
            '{=a~b}',
            'A. x\n',
            'ANSWER: A\n',
            ',',
            '\n',
            '"',
            '\0',
            '<item>',
          ),
        )
        .map((parts) => Buffer.from(parts.join(''))),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (content) => {
        await read('a', content).catch((error: unknown) =>
          expect(error).toBeInstanceOf(UnreadableFile),
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe('export and import', () => {
  it.each(EXPORT_FORMATS)(
    '%s holds plain questions, and many of them are read in time',
    async (format) => {
      const exported = questions(inForm({ short: 500, long: format === 'qti_3' ? 1_000 : 10_000 }));
      expect(exported.flatMap((question) => cannotHold(format, question))).toEqual([]);
      const bytes = writeQuestionFile(format, exported, () => null);
      const start = process.cpuUsage();
      const file = await read(`a.${EXTENSION[format]}`, bytes);
      const { user, system } = process.cpuUsage(start);
      expect(file.format).toBe(format);
      expect(file.problems).toEqual([]);
      expect(file.items.map(({ definition }) => definition)).toEqual(
        exported.map(({ definition }) => definition),
      );
      // 0.3 to 2 s of processor time on the machine of the benchmarks.
      expect((user + system) / 1_000).toBeLessThan(15_000);
    },
  );
});
