import { PSEUDO } from '@invigil/core/texts/languages';
import { expect, it, onTestFinished } from 'vitest';
import { readInProcess, readRowsInProcess, writeInProcess } from './file-process.ts';
import { inLanguage } from './language.ts';

const place = (signal = new AbortController().signal) => ({
  signal,
  [Symbol.dispose]: () => undefined,
});

it('a reader ends at once with its sender, and the next file can be read', async () => {
  const row = 'Question {n},a,b,c,d,a\n';
  const large = Buffer.from(
    `question,option1,option2,option3,option4,correctAnswer\n${row.repeat(5_000)}`,
  );
  const left = new AbortController();
  const reading = readInProcess({ name: 'a.csv', bytes: large }, place(left.signal));
  expect((await reading.next()).value).toMatchObject({ kind: 'item' });
  left.abort();
  let items = 0;
  for await (const found of reading) if (found.kind === 'item') items += 1;
  // Items that were on their way arrived, but not the rest of the file.
  expect(items).toBeLessThan(4_000);
  const small = Buffer.from('::N::A {T}');
  const kinds: string[] = [];
  for await (const { kind } of readInProcess({ name: 'a.gift', bytes: small }, place())) {
    kinds.push(kind);
  }
  expect(kinds).toEqual(['item', 'end']);
});

it('a workbook is not read, and an export not written, for someone who has left', async () => {
  const leave = async (work: (signal: AbortSignal) => Promise<unknown>) => {
    const left = new AbortController();
    const working = work(left.signal);
    left.abort();
    await expect(working).rejects.toThrow();
  };
  await leave((signal) => readRowsInProcess(Buffer.from('no workbook'), place(signal)));
  const nothing = { questions: [], images: new Map<string, Buffer>() };
  await leave((signal) => writeInProcess({ format: 'csv', ...nothing }, place(signal)));
  const file = { format: 'csv', ...nothing } as const;
  expect(String(await writeInProcess(file, place()))).toContain('Question');
});

it('a process that cannot be started refuses this file only', async () => {
  const { execPath } = process;
  onTestFinished(() => {
    process.execPath = execPath;
  });
  const file = { name: 'a.gift', bytes: Buffer.from('::N::A {T}') };
  const read = () => readInProcess(file, place()).next();
  process.execPath = '/nowhere';
  await expect(read()).rejects.toMatchObject({ code: 'IMPORT_BUSY' });
  process.execPath = execPath;
  expect((await read()).value).toMatchObject({ kind: 'item' });
});

it('says what is wrong with a file in the language of its caller', async () => {
  const empty = { name: 'a.gift', bytes: Buffer.from('') };
  const read = async () => (await readInProcess(empty, place()).next()).value;
  expect(await read()).toEqual({ kind: 'error', message: 'The file is empty.' });
  expect(await inLanguage(PSEUDO.long, read)).toEqual({
    kind: 'error',
    message: expect.stringMatching(/^[^a-z]+$/),
  });
});
