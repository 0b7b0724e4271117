import { buffer } from 'node:stream/consumers';
import { longestBlock } from '@invigil/testkit/longest-block';
import { expect, it } from 'vitest';
import { tableStream } from './table-stream.ts';

const ROWS = Array.from({ length: 500 }, (_, i) =>
  Array.from({ length: 120 }, (_, k) => (k % 3 === 0 ? i * k : `Answer ${k}, some words long`)),
);

it.each(['csv', 'xlsx'] as const)('writes eight as %s at a time in short turns', async (format) => {
  async function* portions() {
    yield ROWS;
    yield ROWS;
  }
  const write = async () => {
    const head = Array.from({ length: 120 }, (_, k) => `Q${k}`);
    const table = { name: 'Report', head, portions: portions() };
    return buffer(tableStream(() => table, { format, timeZone: 'UTC' }));
  };
  let files: Buffer[] = [];
  const ms = await longestBlock(async () => {
    files = await Promise.all(Array.from({ length: 8 }, write));
  });
  // Eight CSV files took over 500 ms in one piece each.
  expect(ms).toBeLessThan(150);
  const [first, ...others] = files;
  expect(first?.length).toBeGreaterThan(10_000);
  if (format === 'csv') for (const file of others) expect(file.equals(first as Buffer)).toBe(true);
});

it('stops reading once its reader has left', async () => {
  let read = 0;
  async function* portions() {
    for (let i = 0; i < 100; i += 1) {
      read += 1;
      yield ROWS;
    }
  }
  const stream = tableStream(() => ({ name: 'x', head: ['h'], portions: portions() }), {
    ...{ format: 'xlsx', timeZone: 'UTC' },
  });
  for await (const _ of stream) break;
  await new Promise((resolve) => setTimeout(resolve, 100));
  const then = read;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(read).toBe(then);
  expect(read).toBeLessThan(20);
});
