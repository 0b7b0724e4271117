import { expect, test } from 'vitest';
import { zoneName } from '../../lib/format.ts';
import { ATTEMPT, CANDIDATE, QUIZ } from '../../testing/fixtures.ts';
import { cutText, timeAllowed } from './use-time-allowed.ts';

const endDate = '2026-05-14T18:05:00';
const account = { ...CANDIDATE, quiz: { ...QUIZ, endDate } };

test.each([
  ['the full time well before the end', { endsInMs: 3_600_000 }, 0, 25, null],
  ['what is left shortly before the end', { endsInMs: 6.9 * 60_000 }, 0, 6, '18:05'],
  [
    'reduced by the time the page has been open',
    { endsInMs: 30 * 60_000 },
    10 * 60_000,
    20,
    '18:05',
  ],
  ['nothing after the end', { endsInMs: 1_000 }, 60_000, 0, '18:05'],
  [
    'extra time, reduced by the end',
    { endsInMs: 30 * 60_000, extraTimeFactor: 1.5 },
    0,
    30,
    '18:05',
  ],
  [
    'from the opening, before which no time passes',
    { endsInMs: 80 * 60_000, opensInMs: 60 * 60_000 },
    50 * 60_000,
    20,
    '18:05',
  ],
  ['extra time that fits', { endsInMs: 60 * 60_000, extraTimeFactor: 1.5 }, 0, 37.5, null],
  ['the seconds of extra time', { extraTimeFactor: 1.33 }, 0, 33.25, null],
  ['the full time if everyone may finish', {}, 0, 25, null],
  ['that of a reinstated attempt', { continuesMs: 12.5 * 60_000, endsInMs: 1_000 }, 0, 12, null],
  ['that of a running attempt', { attempt: ATTEMPT, endsInMs: 1_000 }, 0, 16, null],
  ['that of a running attempt, decreasing', { attempt: ATTEMPT }, 960_000, 0, null],
])('shows %s', (_, change, sinceMs, minutes, closesAt) => {
  expect(timeAllowed({ ...account, ...change }, sinceMs)).toEqual({
    minutes,
    closesAt: closesAt && `${closesAt} (${zoneName()})`,
  });
});

test("names the institution's zone where its clock differs", () => {
  const timeZone = 'Asia/Kathmandu';
  const { closesAt } = timeAllowed({ ...account, timeZone, endsInMs: 60_000 }, 0);
  expect(closesAt).toMatch(/^18:05 \(\S+\), which is .*\d\d:\d\d in Asia\/Kathmandu$/);
});

test('explains a reduced time', () => {
  expect(cutText({ minutes: 6, closesAt: '18:05' })).toBe(
    'You will have 6 minutes: this assessment closes at 18:05.',
  );
  expect(cutText({ minutes: 0, closesAt: '18:05' })).toContain('less than a minute');
  expect(cutText({ minutes: 25, closesAt: null })).toBeNull();
});
