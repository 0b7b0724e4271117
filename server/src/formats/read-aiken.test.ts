import { readAll } from '@invigil/testkit/question-files';
import { describe, expect, it } from 'vitest';
import { readAiken } from './read-aiken.ts';

const read = (text: string) => readAll(readAiken, { name: 'a.txt', bytes: text });

describe('Aiken', () => {
  it('reads questions with both kinds of letters', async () => {
    const { items } = await read(
      'One?\nof two lines\nA. x\nB. y\nANSWER: B\n\nTwo?\r\nA) x\r\nB) y\r\nC) z\r\nanswer:a\r\n',
    );
    expect(
      items.map(({ source, definition }) => ({ line: source.line, definition })),
    ).toMatchObject([
      {
        line: 1,
        definition: {
          type: 'multiple_choice',
          question: 'One?\nof two lines',
          options: [
            { text: 'x', isCorrect: false },
            { text: 'y', isCorrect: true },
          ],
        },
      },
      {
        line: 7,
        definition: { question: 'Two?', options: [{ isCorrect: true }, {}, { text: 'z' }] },
      },
    ]);
  });

  it('needs no space behind a bracket', async () => {
    const { items } = await read('Q\nA)x\nB)y\nANSWER: B');
    expect(items[0]?.definition?.options).toEqual([
      { text: 'x', isCorrect: false },
      { text: 'y', isCorrect: true },
    ]);
  });

  it('reads 26 options', async () => {
    const options = Array.from({ length: 26 }, (_, i) => `${String.fromCharCode(65 + i)}. o${i}`);
    const { items } = await read(`Q\n${options.join('\n')}\nANSWER: Z`);
    expect(items[0]?.definition?.options).toHaveLength(26);
  });

  it.each([
    ['Q\nA. x\nB. y\n\nQ2\nA. x\nB. y\nANSWER: A', 'Line 4: The line “ANSWER:” is missing.'],
    [
      'Q\nA. x\nC. y\nANSWER: A\nQ2\nA. x\nB. y\nANSWER: A',
      'Line 4: Option C does not follow in order.',
    ],
    [
      'Q\nA. x\nB. y\nANSWER: C\nQ2\nA. x\nB. y\nANSWER: A',
      'Line 4: “C” is not the letter of an option.',
    ],
    ['Q\nA. x\nANSWER: A\nQ2\nA. x\nB. y\nANSWER: A', 'Please provide at least two options.'],
  ])('keeps the others beside a broken question: %j', async (text, note) => {
    const { items } = await read(text);
    expect(items).toHaveLength(2);
    expect(items[0]).toMatchObject({ definition: null, notes: [note] });
    expect(items[1]?.definition?.question).toBe('Q2');
  });
});
