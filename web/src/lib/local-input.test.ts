import { describe, expect, test } from 'vitest';
import { instantOf, isSkippedTime, localInputOf } from './local-input.ts';

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

  test('know the hour that clocks leave out, in each zone', () => {
    expect(isSkippedTime('2026-03-29T02:30', 'Europe/Berlin')).toBe(true);
    expect(isSkippedTime('2026-03-29T03:00', 'Europe/Berlin')).toBe(false);
    expect(isSkippedTime('2026-03-29T02:30', 'UTC')).toBe(false);
    expect(isSkippedTime('2026-09-06T00:15', 'America/Santiago')).toBe(true);
    expect(isSkippedTime('2026-10-25T02:30', 'Europe/Berlin')).toBe(false);
    for (const other of ['', 'soon', '0026-05-14T10:00', '2027-13-40T10:00']) {
      expect(isSkippedTime(other, 'Europe/Berlin')).toBe(false);
    }
  });
});
