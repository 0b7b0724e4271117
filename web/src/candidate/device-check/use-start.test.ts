import { expect, test } from 'vitest';
import { preparationText, secondsLeft } from './use-start.ts';

const seconds = (...shares: number[]) => shares.map((share, i) => ({ at: i * 1_000, share }));

test('the time left is that of the last seconds, and unknown before enough has arrived', () => {
  expect(secondsLeft([])).toBeNull();
  expect(secondsLeft(seconds(0, 0.03, 0.1))).toBeNull();
  expect(secondsLeft(seconds(0.2, 0.4, 0.6))).toBe(2);
  // Nothing moves: the processor is busy, or the connection is gone.
  expect(secondsLeft(seconds(0.6, 0.6))).toBeNull();
});

test('once all has arrived, the sentence no longer speaks of the connection', () => {
  const about = { isReady: false, skip: null };
  const text = (share: number | null, left: number | null) =>
    preparationText({ ...about, share, secondsLeft: left });
  expect(text(null, null)).toBe('The test is loading. Your time has not started.');
  expect(text(0.4, 40)).toBe(
    'The test is loading: 40\u00a0%, about 40 s more on your connection. Your time has not started.',
  );
  expect(text(1, null)).toBe('The detection is starting. Your time has not started.');
});
