import type { ImportLine } from '@invigil/core/contract/assessments/imports';
import { expect, test } from 'vitest';
import { importLines } from './use-import.ts';

const streamOf = (chunks: Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
const bytesOf = (text: string) => new TextEncoder().encode(text);

async function read(chunks: Uint8Array[], signal = new AbortController().signal) {
  const lines: ImportLine[] = [];
  for await (const line of importLines(streamOf(chunks), signal)) lines.push(line);
  return lines;
}

test('reads lines that are cut anywhere, also inside of a character', async () => {
  const text = '{"error":"1"}\n{"error":"Größe ∑"}\n';
  const bytes = bytesOf(text);
  const cut = [...bytes].map((byte) => Uint8Array.of(byte));
  expect(await read(cut)).toEqual([{ error: '1' }, { error: 'Größe ∑' }]);
  expect(await read([bytes])).toEqual([{ error: '1' }, { error: 'Größe ∑' }]);
});

test('reads a last line without an end, and skips empty ones', async () => {
  expect(await read([bytesOf('\n{"error":"1"}\n\n{"error":"2"}')])).toEqual([
    { error: '1' },
    { error: '2' },
  ]);
});

test('refuses what is not a line of the contract', async () => {
  await expect(read([bytesOf('<html>\n')])).rejects.toThrow();
  await expect(read([bytesOf('{"error":1}\n')])).rejects.toThrow();
});

test('lets other work happen while ten thousand lines are read at once', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const lines = await read([bytesOf('{"error":"1"}\n'.repeat(10_000))]);
  clearInterval(timer);
  expect(lines).toHaveLength(10_000);
  expect(turns).toBeGreaterThan(0);
});

test('stops when it is canceled', async () => {
  const canceled = new AbortController();
  canceled.abort();
  await expect(read([bytesOf('{"error":"1"}\n')], canceled.signal)).rejects.toThrow('aborted');
});
