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
