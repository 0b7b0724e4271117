import { CONNECTION_CHECK } from '@invigil/core/domain/limits';
import { expect, it } from 'vitest';
import { arriveAtOnce } from './news-check.ts';

const { events, everyMs } = CONNECTION_CHECK;
const sent = Array.from({ length: events }, (_, i) => i * everyMs);

it('tells events that arrive as they were sent from those that are held back', () => {
  expect(arriveAtOnce(sent)).toBe(true);
  // A slow start, and a network that delivers unevenly.
  expect(arriveAtOnce(sent.map((at) => at + 4_000))).toBe(true);
  expect(arriveAtOnce(sent.map((at, i) => at + (i % 2) * 200))).toBe(true);
  expect(arriveAtOnce(sent.map((_, i) => 1_500 + i))).toBe(false);
});

it('takes an interrupted stream for one that does not get through', () => {
  expect(arriveAtOnce([])).toBe(false);
  expect(arriveAtOnce(sent.slice(0, -1))).toBe(false);
});
