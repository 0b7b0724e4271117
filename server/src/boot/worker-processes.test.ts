import { expect, it } from 'vitest';
import { silentOnes } from './worker-processes.ts';

it('a process is not silent within ten seconds of its last heartbeat', () => {
  const aliveAt = new Map([
    ['one', 0],
    ['two', 5_000],
  ]);
  expect(silentOnes(aliveAt, 9_000, 1_000)).toEqual([]);
  expect(silentOnes(aliveAt, 10_500, 1_000)).toEqual(['one']);
  expect(silentOnes(aliveAt, 16_000, 1_000)).toEqual(['one', 'two']);
});

it('no process is silent after the machine slept, until ten seconds later', () => {
  const aliveAt = new Map([['one', 0]]);
  expect(silentOnes(aliveAt, 3_600_000, 3_599_000)).toEqual([]);
  expect(silentOnes(aliveAt, 3_601_000, 1_000)).toEqual([]);
  expect(silentOnes(aliveAt, 3_610_500, 1_000)).toEqual(['one']);
});
