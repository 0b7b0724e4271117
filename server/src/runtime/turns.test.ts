import { expect, it } from 'vitest';
import { inTurns } from './turns.ts';

const busy = (ms: number) => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

it('lets others take their turn every few items that take long, and keeps the order', async () => {
  let turns = 0;
  let isOver = false;
  const other = () => {
    turns += 1;
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  const seen: number[] = [];
  for await (const n of inTurns([1, 2, 3, 4, 5])) {
    busy(15);
    seen.push(n);
  }
  isOver = true;
  expect(seen).toEqual([1, 2, 3, 4, 5]);
  expect(turns).toBeGreaterThanOrEqual(4);
});

it('lets one of several go on between two turns of others', async () => {
  let turn = 0;
  let isOver = false;
  const other = () => {
    turn += 1;
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  const worked: number[] = [];
  const work = async () => {
    for await (const _ of inTurns([1, 2, 3, 4])) {
      busy(12);
      worked.push(turn);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  isOver = true;
  // Each begins at once; from then on no two in the same turn.
  const later = worked.slice(8);
  expect(later).toHaveLength(24);
  expect(new Set(later).size).toBe(24);
});

it('ends with the signal', async () => {
  const left = new AbortController();
  const seen: number[] = [];
  const read = async () => {
    for await (const n of inTurns([1, 2, 3], left.signal)) {
      seen.push(n);
      if (n === 2) left.abort(new Error('left'));
    }
  };
  await expect(read()).rejects.toThrow('left');
  expect(seen).toEqual([1, 2]);
});
