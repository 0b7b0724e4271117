import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startOfWeek } from './week.ts';

describe('the start of this week', () => {
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
