import { expect, test } from 'vitest';
import { ATTEMPT, CANDIDATE, QUIZ } from '../../testing/fixtures.ts';
import { cutText, timeAllowed } from './use-time-allowed.ts';

const endDate = '2026-05-14T18:05:00';
const account = { ...CANDIDATE, quiz: { ...QUIZ, endDate } };

test.each([
  ['the whole time before an end that is far', { endsInMs: 3_600_000 }, 0, 25, null],
  ['what is left before an end that is near', { endsInMs: 6.9 * 60_000 }, 0, 6, '18:05'],
  ['less, the longer the page is open', { endsInMs: 30 * 60_000 }, 10 * 60_000, 20, '18:05'],
  ['nothing after the end', { endsInMs: 1_000 }, 60_000, 0, '18:05'],
  ['extra time, cut as well', { endsInMs: 30 * 60_000, extraTimeFactor: 1.5 }, 0, 30, '18:05'],
  ['extra time that fits', { endsInMs: 60 * 60_000, extraTimeFactor: 1.5 }, 0, 38, null],
  ['the whole time where the end cuts nobody', {}, 0, 25, null],
  ['what a running attempt has left', { attempt: ATTEMPT, endsInMs: 1_000 }, 0, 16, null],
  ['which gets less', { attempt: ATTEMPT }, 960_000, 0, null],
])('the time shown is %s', (_, change, sinceMs, minutes, closesAt) => {
  expect(timeAllowed({ ...account, ...change }, sinceMs)).toEqual({ minutes, closesAt });
});

test('what is cut short is said in words', () => {
  expect(cutText({ minutes: 6, closesAt: '18:05' })).toBe(
    'You will have 6 minutes: this assessment closes at 18:05.',
  );
  expect(cutText({ minutes: 0, closesAt: '18:05' })).toContain('less than a minute');
  expect(cutText({ minutes: 25, closesAt: null })).toBeNull();
});
