import type { ImportItem, ImportLine } from '@invigil/core/contract/assessments/imports';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { expect, test } from 'vitest';
import { countByStatus, initialSelection, placeOf, positionsOf } from './review-items.ts';
import { importLines } from './use-import.ts';

const item = (change: Partial<ImportItem> = {}): ImportItem => ({
  source: { file: 'unit1/q.xml' },
  title: 'Q',
  definition: plainDefinition('Q?', ['x', 'y'], 'x'),
  notes: [],
  isDraft: false,
  tags: [],
  categoryPath: [],
  isDuplicate: false,
  ...change,
});

const ITEMS = [
  item(),
  item({ notes: ['The font was removed'] }),
  item({ isDraft: true, notes: ['It has no key'] }),
  item({ isDuplicate: true, isDraft: true }),
  item({ definition: null, notes: ['Essays are not supported'] }),
];

test('gives each item one status', () => {
  expect(countByStatus(ITEMS)).toEqual({
    unchanged: 1,
    changed: 1,
    draft: 1,
    duplicate: 1,
    unsupported: 1,
  });
  expect(positionsOf(ITEMS, 'duplicate')).toEqual([3]);
  expect(positionsOf(ITEMS, null)).toEqual([0, 1, 2, 3, 4]);
});

test('selects nothing that is not supported, and duplicates on request', () => {
  expect([...initialSelection(ITEMS, false)]).toEqual([0, 1, 2]);
  expect([...initialSelection(ITEMS, true)]).toEqual([0, 1, 2, 3]);
});

test('names an item by file, identifier and line', () => {
  const source = { file: 'unit1/q.xml', identifier: 'q17', line: 40 };
  expect(placeOf(item({ source }))).toBe('unit1/q.xml, item q17, line 40');
  expect(placeOf(item())).toBe('unit1/q.xml');
});

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
