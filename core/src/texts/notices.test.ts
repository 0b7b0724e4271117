import { expect, test } from 'vitest';
import { faceWarning, voiceCountsText } from './notices.ts';

test('says when it counts, by the figures of the rule', () => {
  expect(faceWarning(4_000)).toBe('Move back into view: it counts in 4 s');
  expect(faceWarning(null)).toBe('Move back into view');
  expect(voiceCountsText({ warnMs: 4_000 })).toBe('It counts only if it goes on for 4 seconds.');
  expect(voiceCountsText({})).toBe('It counts only if it goes on.');
});
