import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { CSV_MESSAGES } from '@invigil/core/domain/questions/question-csv';
import { describe, expect, test } from 'vitest';
import { FILE_MESSAGES, type QuestionFile, readQuestionFile } from './read-question-file.ts';

const HEADER = 'Question,Option A,Option B,Correct Answer';
const utf8 = (text: string) => new TextEncoder().encode(text);

function utf16(text: string, littleEndian: boolean, mark: boolean): Uint8Array {
  const whole = mark ? `\uFEFF${text}` : text;
  const bytes = new Uint8Array(whole.length * 2);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < whole.length; i += 1) {
    view.setUint16(i * 2, whole.charCodeAt(i), littleEndian);
  }
  return bytes;
}

function read(bytes: Uint8Array | string): QuestionFile {
  const result = readQuestionFile('q.csv', typeof bytes === 'string' ? utf8(bytes) : bytes);
  if (!result.ok) throw new Error(result.problem);
  return result.file;
}
const problemOf = (name: string, bytes: Uint8Array) => {
  const result = readQuestionFile(name, bytes);
  return result.ok ? null : result.problem;
};
const fieldsOf = (bytes: Uint8Array | string) => read(bytes).rows.map((row) => row.fields);

describe('refuses', () => {
  test.each(['questions.xlsx', 'questions.csv.exe', 'csv', 'questions.txt'])('%s', (name) => {
    expect(problemOf(name, utf8(HEADER))).toBe(CSV_MESSAGES.notCsv);
  });

  test('a picture named .csv', () => {
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49);
    expect(problemOf('picture.csv', png)).toBe(FILE_MESSAGES.notText);
  });

  test('more than 1 MiB of text in any encoding', () => {
    const tooMuch = 'a'.repeat(QUESTION_LIMITS.csvMaxBytes + 1);
    expect(problemOf('q.csv', utf8(tooMuch))).toBe(CSV_MESSAGES.tooLarge);
    expect(problemOf('q.csv', utf16(tooMuch, true, true))).toBe(CSV_MESSAGES.tooLarge);
    expect(problemOf('q.csv', new Uint8Array(50_000_000))).toBe(CSV_MESSAGES.tooLarge);
  });

  test('an empty file', () => {
    expect(problemOf('q.csv', utf8(''))).toBe(FILE_MESSAGES.empty);
    expect(problemOf('q.csv', utf8('\uFEFF\r\n \n'))).toBe(FILE_MESSAGES.empty);
  });

  test('an unclosed quote, with the line where parsing ended', () => {
    expect(problemOf('q.csv', utf8(`${HEADER}\nOne?,"x,y,A\n`))).toMatch(
      /^Line \d+: A quoted field is not closed$/,
    );
  });
});

/** In CPU time, which does not depend on the machine's load. */
const FEW_SECONDS_US = 5_000_000;

describe('limits the parsing time', () => {
  test('of a mebibyte of line breaks', () => {
    const before = process.threadCpuUsage();
    const file = read(`${HEADER}\n${'\r\n'.repeat(500_000)}One?,x,y,A\n`);
    expect(file.rows.map((row) => row.line)).toEqual([1, 500_002]);
    expect(process.threadCpuUsage(before).user).toBeLessThan(FEW_SECONDS_US);
  });

  test('by refusing a mebibyte of blank rows', () => {
    const before = process.threadCpuUsage();
    const bytes = utf8(`${HEADER}\n${',\n'.repeat(500_000)}`);
    expect(problemOf('q.csv', bytes)).toBe(CSV_MESSAGES.tooManyRows);
    expect(process.threadCpuUsage(before).user).toBeLessThan(FEW_SECONDS_US);
  });
});

describe('reads', () => {
  const rows = [
    ['Question', 'Option A', 'Option B', 'Correct Answer'],
    ['One?', 'x', 'y', 'A'],
  ];

  test.each([
    ['LF', `${HEADER}\nOne?,x,y,A\n`],
    ['CRLF', `${HEADER}\r\nOne?,x,y,A\r\n`],
    ['CR', `${HEADER}\rOne?,x,y,A\r`],
    ['mixed line ends', `${HEADER}\r\nOne?,x,y,A\n`],
    ['no final line end', `${HEADER}\nOne?,x,y,A`],
    ['a byte order mark', `\uFEFF${HEADER}\nOne?,x,y,A`],
    ['semicolons', `${HEADER.replaceAll(',', ';')}\nOne?;x;y;A`],
    ['tabs', `${HEADER.replaceAll(',', '\t')}\nOne?\tx\ty\tA`],
  ])('%s', (_, text) => {
    expect(fieldsOf(text)).toEqual(rows);
  });

  test('quotes, doubled quotes, separators and line breaks inside a field', () => {
    expect(fieldsOf(`${HEADER}\n"A, ""b"";\nand c?","x, 1",y,A`)[1]).toEqual([
      'A, "b";\nand c?',
      'x, 1',
      'y',
      'A',
    ]);
  });

  test('commas inside the questions of a semicolon file', () => {
    const file = read('Frage;A;B;C\nEins, zwei, drei?;x, y;z, a;A\nVier, fünf?;x;y;B');
    expect(file.separator).toBe(';');
    expect(file.rows[1]?.fields).toEqual(['Eins, zwei, drei?', 'x, y', 'z, a', 'A']);
  });

  test('the first line of each row', () => {
    const file = read(`${HEADER}\r\n"One\r\ntwo\r\nthree?",x,y,A\r\n\r\nFour?,x,y,B`);
    const starts = file.rows.filter((row) => row.fields.length > 1).map((row) => row.line);
    expect(starts).toEqual([1, 2, 6]);
  });

  test.each([
    ['little endian', true, true],
    ['big endian', false, true],
    ['little endian without a mark', true, false],
    ['big endian without a mark', false, false],
  ])('UTF-16, %s', (_, littleEndian, mark) => {
    const file = read(utf16(`${HEADER}\nΠοια;,Αθήνα,y,A`, littleEndian, mark));
    expect(file.encoding).toBe(littleEndian ? 'utf-16le' : 'utf-16be');
    expect(file.rows[1]?.fields).toEqual(['Ποια;', 'Αθήνα', 'y', 'A']);
  });

  test('invalid UTF-8 as windows-1252, and reports it', () => {
    const bytes = Uint8Array.from([
      ...utf8(`${HEADER}\nCaf`),
      0xe9,
      ...utf8(' '),
      0x80,
      ...utf8('?,x,y,A'),
    ]);
    const file = read(bytes);
    expect(file.encoding).toBe('windows-1252');
    expect(file.rows[1]?.fields[0]).toBe('Café €?');
  });

  test('the same bytes in the encoding that was selected', () => {
    const bytes = Uint8Array.from([...utf8(`${HEADER}\n`), 0xcf, 0xee, ...utf8('?,x,y,A')]);
    expect(read(bytes).rows[1]?.fields[0]).toBe('По?');
    const again = readQuestionFile('q.csv', bytes, 'macintosh');
    expect(again).toMatchObject({ file: { encoding: 'macintosh', rows: [{}, { line: 2 }] } });
    expect(again.ok && again.file.rows[1]?.fields[0]).toBe('œÓ?');
  });

  test('UTF-8 as UTF-8', () => {
    expect(read(`${HEADER}\nКто?,x,y,A`).encoding).toBe('utf-8');
  });
});
