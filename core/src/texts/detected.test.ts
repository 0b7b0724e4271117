import { expect, test } from 'vitest';
import { adviceText, detectedText } from './detected.ts';

test.each([
  [5_800, 'This page was slow for 6 seconds'],
  [1_000, 'This page was slow for 1 second'],
  [59_000, 'This page was slow for 59 seconds'],
  [60_000, 'This page was paused for 1 minute'],
  [28_800_000, 'This page was paused for 480 minutes'],
  [null, 'This page was paused'],
])('does not call a device asleep whose page was late by %s ms', (durationMs, words) => {
  expect(detectedText('device_slept', durationMs)).toBe(words);
});

test('gives no advice against what the instructions allow', () => {
  expect(adviceText('looking_away', {})).toBe('Keep your eyes on the screen.');
  expect(adviceText('looking_away', { mayUsePaper: true })).toMatch(/or your paper/);
  expect(adviceText('face_not_detected', { faceCovered: true })).toBeNull();
});
