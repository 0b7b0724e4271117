import { describe, expect, test } from 'vitest';
import { formatAgo, formatDate, formatDateTime, instantOf, localInputOf } from './format.ts';

describe('datetime-local fields', () => {
  test.each(['', 'soon', '2027-05-14', '2027-13-40T10:00', '14.05.2027 18:00'])(
    'rejects %j',
    (typed) => {
      expect(instantOf(typed)).toBeNull();
    },
  );

  test('convert local time to UTC and back', () => {
    for (const typed of ['2027-01-31T00:00', '2027-05-14T18:00', '2027-12-31T23:59']) {
      const sent = instantOf(typed);
      expect(sent).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/);
      expect(localInputOf(sent ?? '')).toBe(typed);
      expect(Date.parse(sent ?? '')).toBe(new Date(typed).getTime());
    }
  });
});

describe('dates on screens', () => {
  const noon = new Date(2026, 4, 14, 12, 5).toISOString();

  test('show a day, with or without the time', () => {
    expect(formatDate(noon)).toBe('14 May 2026');
    expect(formatDateTime(noon)).toBe('14 May 2026, 12:05');
  });

  test.each([
    [-30_000, 'just now'],
    [59_000, 'just now'],
    [60_000, '1 min ago'],
    [59 * 60_000, '59 min ago'],
    [2 * 3_600_000, '2 hr ago'],
    [24 * 3_600_000, '1 day ago'],
  ])('%i ms before now: %s', (before, expected) => {
    const now = Date.parse(noon);
    expect(formatAgo(new Date(now - before).toISOString(), now)).toBe(expected);
  });
});
