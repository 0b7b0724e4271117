import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startOfWeek } from './week.ts';

describe('the start of this week', () => {
  it.each([
    ['in the middle of a week', '2026-05-14T08:00:00Z', 'UTC', '2026-05-11T00:00:00Z'],
    ['at its first moment', '2026-05-11T00:00:00Z', 'UTC', '2026-05-11T00:00:00Z'],
    ['a millisecond before', '2026-05-10T23:59:59.999Z', 'UTC', '2026-05-04T00:00:00Z'],
    ['on a Sunday', '2026-05-17T12:00:00Z', 'UTC', '2026-05-11T00:00:00Z'],
    ['across a year', '2027-01-01T12:00:00Z', 'UTC', '2026-12-28T00:00:00Z'],
    ['in a leap year', '2028-03-01T12:00:00Z', 'UTC', '2028-02-28T00:00:00Z'],
    ['east of Greenwich', '2026-05-14T08:00:00Z', 'Europe/Berlin', '2026-05-10T22:00:00Z'],
    // Sunday evening in UTC is already Monday there.
    ['where it is Monday already', '2026-05-10T23:00:00Z', 'Europe/Berlin', '2026-05-10T22:00:00Z'],
    [
      'where it is Sunday still',
      '2026-05-11T03:00:00Z',
      'America/New_York',
      '2026-05-04T04:00:00Z',
    ],
    [
      'where it just became Monday',
      '2026-05-11T04:00:00Z',
      'America/New_York',
      '2026-05-11T04:00:00Z',
    ],
    ['at a quarter of an hour', '2026-05-14T08:00:00Z', 'Asia/Kathmandu', '2026-05-10T18:15:00Z'],
    ['far in the east', '2026-05-10T10:00:00Z', 'Pacific/Kiritimati', '2026-05-10T10:00:00Z'],
    ['far in the west', '2026-05-11T11:00:00Z', 'Pacific/Pago_Pago', '2026-05-11T11:00:00Z'],
    // Daylight-saving time began on Sunday 29 March 2026 in Europe, after the start of the week.
    [
      'in the week daylight-saving time begins',
      '2026-03-29T12:00:00Z',
      'Europe/Berlin',
      '2026-03-22T23:00:00Z',
    ],
    ['the Monday after', '2026-03-30T08:00:00Z', 'Europe/Berlin', '2026-03-29T22:00:00Z'],
    // It ended on Sunday 25 October 2026.
    [
      'in the week daylight-saving time ends',
      '2026-10-25T12:00:00Z',
      'Europe/Berlin',
      '2026-10-18T22:00:00Z',
    ],
    ['the Monday after that', '2026-10-26T08:00:00Z', 'Europe/Berlin', '2026-10-25T23:00:00Z'],
    // In the repeated hour, and in the southern hemisphere.
    ['in the repeated hour', '2026-10-25T00:30:00Z', 'Europe/Berlin', '2026-10-18T22:00:00Z'],
    ['in the southern autumn', '2026-04-06T00:00:00Z', 'Australia/Sydney', '2026-04-05T14:00:00Z'],
    [
      'with a daylight-saving shift of half an hour',
      '2026-10-05T00:00:00Z',
      'Australia/Lord_Howe',
      '2026-10-04T13:00:00Z',
    ],
  ])('%s', (_, now, zone, start) => {
    expect(startOfWeek(new Date(now), zone)).toEqual(new Date(start));
  });

  it('is the last Monday 00:00 local time, in every zone and at every moment', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'Europe/London',
      'America/New_York',
      'America/St_Johns',
      'Asia/Kolkata',
      'Australia/Lord_Howe',
      'Pacific/Chatham',
      'Pacific/Apia',
    ];
    const localTime = new Map(
      zones.map((timeZone) => [
        timeZone,
        new Intl.DateTimeFormat('en-GB', {
          timeZone,
          weekday: 'short',
          hour: '2-digit',
          minute: '2-digit',
          second: '2-digit',
          hourCycle: 'h23',
        }),
      ]),
    );
    const moment = fc.date({
      min: new Date('2015-01-01T00:00:00Z'),
      max: new Date('2037-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moment, fc.constantFrom(...zones), (now, zone) => {
        const start = startOfWeek(now, zone);
        expect(localTime.get(zone)?.format(start)).toBe('Mon 00:00:00');
        const ageMs = now.getTime() - start.getTime();
        expect(ageMs).toBeGreaterThanOrEqual(0);
        // A week in which daylight-saving time ends is an hour longer.
        expect(ageMs).toBeLessThan((7 * 24 + 1) * 3_600_000);
      }),
      { numRuns: 400 },
    );
  });
});
