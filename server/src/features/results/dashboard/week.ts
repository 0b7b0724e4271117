import { fromWallTime, wallTime } from '@invigil/core/domain/local-time';

const DAY_MS = 86_400_000;

/**
 * The moment when this week began: Monday 00:00 in the given zone (product 3). Works across changes
 * to and from daylight-saving time, because the offset is looked up at the moment itself.
 */
export function startOfWeek(now: Date, timeZone: string): Date {
  const local = wallTime(now, timeZone);
  const weekday = (new Date(local).getUTCDay() + 6) % 7;
  return fromWallTime(Math.floor(local / DAY_MS) * DAY_MS - weekday * DAY_MS, timeZone).at;
}

/** `YYYY-MM-DD` of the last `days` days in the zone, oldest first, today last. */
export function lastDays(now: Date, days: number, timeZone: string): string[] {
  const today = Math.floor(wallTime(now, timeZone) / DAY_MS) * DAY_MS;
  return Array.from({ length: days }, (_, i) =>
    new Date(today - (days - 1 - i) * DAY_MS).toISOString().slice(0, 10),
  );
}

/** The moment when a local day began. */
export function startOfDay(day: string, timeZone: string): Date {
  return fromWallTime(Date.parse(`${day}T00:00:00Z`), timeZone).at;
}
