import { inForm } from '@invigil/testkit/test-form';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromWallTime, readTime, wallTime } from './local-time.ts';

const read = (text: string, zone = 'Europe/Berlin') => {
  const found = readTime(text, zone);
  return 'at' in found ? found.at.toISOString() : found.problem;
};

describe('a time that someone has written', () => {
  it.each([
    '2026-05-14 10:00',
    '2026-05-14T10:00:00',
    '2026-5-14, 10:00',
    '2026/5/14 10:00:00',
    '2026年5月14日 10:00',
    '14.05.2026 10:00',
    '14.5.2026, 10.00 Uhr',
    '14. 5. 2026 10 Uhr',
    '14/05/2026 10h00',
    '14-5-2026 10:00',
    '5/14/2026 10:00 AM',
    '5/14/2026 10 a.m.',
    ' ２０２６-05-14\u00a0 10:00 ',
    '2026-05-14T08:00:00Z',
    '2026-05-14T10:00+02:00',
  ])('is read: %s', (text) => {
    expect(read(text)).toBe('2026-05-14T08:00:00.000Z');
  });

  it.each([
    ['5/14/2026 12:00 AM', '2026-05-13T22:00:00.000Z'],
    ['5/14/2026 12:30 pm', '2026-05-14T10:30:00.000Z'],
    ['5/5/2026 9:15 PM', '2026-05-05T19:15:00.000Z'],
  ])('has the half of the day that it says: %s', (text, at) => {
    expect(read(text)).toBe(at);
  });

  it.each([
    '2026-05-14',
    '10:00',
    'Thursday',
    '2026-02-30 10:00',
    '2026-13-01 10:00',
    '2026-05-14 24:30',
    '2026-05-14 10:60',
    '2026-05-14 10',
    '14.05.26 10:00',
    '5/14/2026 13:00 PM',
    '0026-05-14 10:00',
    '2026-05-14T10:00:00+99:00',
    '',
  ])('is refused where it is no date with a time: %s', (text) => {
    expect(read(text)).toBe('not_time');
  });

  it('is asked for where day and month cannot be told apart', () => {
    expect(read('5/6/2026 10:00')).toBe('day_or_month');
    expect(read('6-5-2026 10:00')).toBe('day_or_month');
  });
});

describe('a day on which the clocks change', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29 02:30'],
    ['America/New_York', '2026-03-08 02:00'],
    ['America/Santiago', '2026-09-06 00:30'],
    ['Australia/Lord_Howe', '2026-10-04 02:15'],
    ['Pacific/Apia', '2011-12-30 10:00'],
  ])('has no time that its clocks leave out: %s %s', (zone, text) => {
    expect(read(text, zone)).toBe('skipped_time');
  });

  it.each([
    ['Europe/Berlin', '2026-10-25 02:30', '2026-10-25T00:30:00.000Z'],
    ['America/New_York', '2026-11-01 01:30', '2026-11-01T05:30:00.000Z'],
    ['America/Havana', '2026-11-01 00:30', '2026-11-01T04:30:00.000Z'],
    ['Australia/Lord_Howe', '2026-04-05 01:45', '2026-04-04T14:45:00.000Z'],
  ])('has an hour twice, of which the first counts: %s %s', (zone, text, at) => {
    expect(read(text, zone)).toBe(at);
  });

  it('leads from what clocks show back to the moment, in every zone and at any time', () => {
    const zone = fc.constantFrom(
      ...['Europe/Berlin', 'Europe/Dublin', 'America/New_York', 'America/Havana', 'Africa/Cairo'],
      ...['America/Santiago', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia', 'UTC'],
    );
    const minute = fc.integer({
      min: Date.UTC(2024, 0, 1) / 60_000,
      max: Date.UTC(2030, 0, 1) / 60_000,
    });
    fc.assert(
      fc.property(zone, minute, (timeZone, minutes) => {
        const at = new Date(minutes * 60_000);
        const shown = wallTime(at, timeZone);
        const { at: found, isSkipped } = fromWallTime(shown, timeZone);
        // The moment itself, or the first of two at which the clocks show the same.
        expect(isSkipped).toBe(false);
        expect(wallTime(found, timeZone)).toBe(shown);
        expect(found.getTime()).toBeLessThanOrEqual(at.getTime());
        expect(at.getTime() - found.getTime()).toBeLessThanOrEqual(60 * 60_000);
      }),
      { numRuns: inForm({ short: 300, long: 20_000 }) },
    );
  });
});
