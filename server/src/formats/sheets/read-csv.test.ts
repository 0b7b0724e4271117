import { questionFileOf, questionTemplate } from '@invigil/core/domain/questions/question-csv';
import { validateQuestion } from '@invigil/core/domain/questions/question-options';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TooManyItems, UnreadableFile } from '../imported-file.ts';
import { readCsvRows, readQuestionRows } from './read-csv.ts';

const utf8 = (text: string) => Buffer.from(text, 'utf8');
const BOM = '\uFEFF';

const HEADER = 'Question,Option A,Option B,Correct Answer';

const fieldsIn = (file: Uint8Array) => readCsvRows(file).rows;
const refusal = (file: Uint8Array) => expect(() => readCsvRows(file));

describe('parsing a question file', () => {
  it.each([
    [
      'a picture',
      Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
    ],
    ['a spreadsheet that is not CSV', Buffer.from('504b0304140006000800000021', 'hex')],
    ['text with a NUL', utf8(`${HEADER}\nQ,a\0,b,A`)],
  ])('refuses %s with a message', (_, file) => {
    refusal(file).toThrow(
      'This file is not text. Save it as CSV in your spreadsheet and try again',
    );
  });

  it('refuses a quote that is never closed', () => {
    const file = utf8(`${HEADER}\nQ,a,b,A\nQ,"a,b,A\nQ,a,b,A\n`);
    refusal(file).toThrow(/^Line \d+: A quoted field is not closed$/);
  });

  it.each([
    ['line breaks', '\n'],
    ['both kinds of line break', '\r\n'],
    ['rows of commas', ',,,,\n'],
    ['rows of blanks', ' \n'],
    ['rows of one field', 'a\n'],
    ['commas', ','],
    ['quotes', '"'],
    ['quoted breaks', '"\n",'],
  ])('parses one MiB of %s quickly, because it blocks the process', (_, filler) => {
    const head = `${HEADER}\nQ,a,b,A\n`;
    const file = utf8(head + filler.repeat((1_048_576 - head.length) / filler.length));
    const before = process.threadCpuUsage();
    try {
      fieldsIn(file);
    } catch (error) {
      expect(error).toBeInstanceOf(UnreadableFile);
    }
    // Processor time in µs, which a busy machine does not lengthen. Measured: under 0.7 s each; the
    // regression it guards against took 38 s.
    expect(process.threadCpuUsage(before).user).toBeLessThan(6_000_000);
  });

  it('refuses more than 1 MiB of text in any encoding, and accepts 1 MiB', () => {
    const filler = (bytes: number) =>
      `${HEADER}\nQ,a,b,A\n${'\n'.repeat(bytes - HEADER.length - 9)}`;
    expect(fieldsIn(utf8(filler(1_048_576)))).toHaveLength(2);
    refusal(utf8(filler(1_048_577))).toThrow(TooManyItems);
    refusal(Buffer.from(BOM + filler(1_048_577), 'utf16le')).toThrow(TooManyItems);
    // 600,000 characters of three bytes each: fewer than a million characters, more than one MiB.
    refusal(utf8(`${HEADER}\n${'問'.repeat(600_000)}`)).toThrow(TooManyItems);
  });

  it('decodes what is not UTF-8 as windows-1252', () => {
    const file = Buffer.from([
      ...utf8('Q,Gr'),
      0xf6,
      0xdf,
      ...utf8('e,'),
      0x80,
      0x20,
      0x93,
      0x2c,
      0x42,
    ]);
    expect(readCsvRows(file)).toEqual({
      rows: [{ line: 1, fields: ['Q', 'Größe', '€ “', 'B'] }],
      encoding: 'windows-1252',
    });
  });

  it('decodes the same bytes in the encoding that was selected', () => {
    const file = Buffer.concat([utf8('Q,'), Buffer.of(0xcf, 0xee, 0xe4), utf8(',b,A')]);
    expect(fieldsIn(file)[0]?.fields[1]).toBe('Под');
    expect(readCsvRows(file, 'macintosh').rows[0]?.fields[1]).toBe('œÓ‰');
  });

  it.each([
    ['commas', ','],
    ['semicolons', ';'],
    ['tabs', '\t'],
  ])('accepts %s between the fields', (_, by) => {
    const lines = [
      ['Question', 'Option A', 'Option B', 'Answer'],
      ['Q', 'a', 'b', 'A'],
    ];
    expect(fieldsIn(utf8(lines.map((l) => l.join(by)).join('\n')))).toEqual(
      lines.map((fields, i) => ({ line: i + 1, fields })),
    );
  });

  it.each([
    ['a question with commas, no header', 'Red, green, or blue, dear?;red;green;A'],
    ['a header with a comma', 'Question, as it is shown, to all;A;B;Key\nQ;a;b;A'],
    ['options with commas', 'Q;A;B;Key\nWhich, then, now?;1,5;2,5;A\nWhich?;1,5;2,5;B'],
    ['quoted semicolons', 'Q;A;B;Key\n"a;b,c,d,e";"x;y";z;A'],
  ])('selects the separator that yields the most questions: %s', (_, file) => {
    for (const row of fieldsIn(utf8(file))) expect(row.fields).toHaveLength(4);
  });

  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('reports the line on which a row starts, with %s', (_, br) => {
    const lines = [
      HEADER,
      `"two${br}lines",a,b,A`,
      '',
      `Q,"three${br}${br}lines","two${br}lines",B`,
      'Q,a,b,A',
      `"",a,"",${' '}`,
      `"ends with a break${br}",a,b,A`,
      'last,a,b,A',
    ];
    const read = fieldsIn(utf8(lines.join(br)));
    const filled = read.filter((r) => r.fields.some((f) => f.trim() !== ''));
    expect(filled.map((r) => r.line)).toEqual([1, 2, 5, 9, 10, 11, 13]);
    expect(filled[2]?.fields[1]).toBe('three\n\nlines');
  });

  it('accepts both kinds of line break in one file', () => {
    const read = fieldsIn(utf8('Q,A,B,Key\nQ1,a,b,"A"\r\n"Q\n2",a,b,B\r\nQ3,a,b,"B"\n'));
    expect(read).toEqual([
      { line: 1, fields: ['Q', 'A', 'B', 'Key'] },
      { line: 2, fields: ['Q1', 'a', 'b', 'A'] },
      { line: 3, fields: ['Q\n2', 'a', 'b', 'B'] },
      { line: 5, fields: ['Q3', 'a', 'b', 'B'] },
    ]);
  });

  it('finds no rows in an empty file', () => {
    for (const text of ['', '\n', BOM, '\r\n\r\n']) expect(fieldsIn(utf8(text))).toEqual([]);
  });

  it('parses doubled quotes, and quotes inside a field', () => {
    expect(fieldsIn(utf8('"say ""hi""",5" wide,"",x\n'))).toEqual([
      { line: 1, fields: ['say "hi"', '5" wide', '', 'x'] },
    ]);
  });

  it('returns every field and starting line that a CSV writer wrote', () => {
    // No NUL; a line break is one character, so that the writer's lines can be counted.
    const field = fc
      .array(fc.constantFrom('a', 'é', '日', ' ', '"', ',', ';', '\t', '\n', "'", '='), {
        maxLength: 8,
      })
      .map((signs) => signs.join(''));
    const file = fc.array(
      fc.tuple(field, field, field).map(([q, a, b]) => [`Q${q}`, `a${a}`, `b${b}`, 'A']),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(file, fc.constantFrom(',', ';', '\t'), (written, by) => {
        const records = written.map((fields) =>
          fields.map((f) => `"${f.replaceAll('"', '""')}"`).join(by),
        );
        let line = 1;
        const expected = written.map((fields, i) => {
          const row = { line, fields };
          line += records[i]?.split('\n').length ?? 0;
          return row;
        });
        expect(fieldsIn(utf8(records.join('\n')))).toEqual(expected);
      }),
      // This file has as many questions when it is read with semicolons, and one row more.
      { examples: [[[['Q', 'a;a;', 'b;a\n', 'A']], '\t']] },
    );
  });
});

describe('our own export', () => {
  const nasty = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc
      .tuple(
        fc.constantFrom('=', '+', '-', '@', "'", "''", '"', ',', ';', '\t', 'a\nb', 'A', 'é', '😀'),
        fc.string({ maxLength: 6 }),
      )
      .map((parts) => parts.join('')),
  );
  const importOf = (file: string) => readQuestionRows(utf8(file), { firstRow: 'header' });

  it('is read back as the same questions', () => {
    const drafts = fc
      .array(fc.tuple(nasty, fc.array(nasty, { minLength: 2, maxLength: 4 }), fc.nat(3)), {
        minLength: 1,
        maxLength: 8,
      })
      .map((all) =>
        all.flatMap(([text, options, key]) => {
          const validated = validateQuestion(text, options, options[key % options.length] ?? '');
          return validated.ok ? [validated.draft] : [];
        }),
      );
    fc.assert(
      fc.property(drafts, (questions) => {
        // The parser has one kind of line end and no zero byte; neither can be typed into a field.
        const typed = questions.filter((q) => !/\\r|\\u0000/.test(JSON.stringify(q)));
        if (typed.length === 0) return;
        const { problem, rows } = importOf(questionFileOf(typed));
        expect(problem).toBeNull();
        expect(rows.map((row) => row.question)).toEqual(typed);
      }),
    );
  });

  it('has a template that is valid', () => {
    expect(importOf(questionTemplate()).rows.map((row) => row.problem)).toEqual([null, null]);
  });
});
