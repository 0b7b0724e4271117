import { lastDays, startOfDay, startOfWeek } from '../../features/review/statistics/week.ts';

const MINUTE_MS = 60_000;

/** Times of the demonstration, counted back from the fill, in the time zone of the service. */
export interface Calendar {
  now: Date;
  /** A time of day some days ago. Minutes after midnight. */
  at(daysAgo: number, minuteOfDay: number): Date;
  isWeekend(daysAgo: number): boolean;
  minutesAgo(minutes: number): Date;
  /**
   * The same, but never before this week began, so that even on a Monday morning there are top
   * scorers of the week. `place` keeps several of them apart.
   */
  thisWeek(minutes: number, place: number): Date;
}

export function calendarOf(now: Date, timeZone: string): Calendar {
  const sinceMondayMs = now.getTime() - startOfWeek(now, timeZone).getTime();
  const dayOf = (daysAgo: number) => lastDays(now, daysAgo + 1, timeZone)[0] ?? '';
  const before = (ms: number) => new Date(Math.round(now.getTime() - ms));
  return {
    now,
    at: (daysAgo, minuteOfDay) =>
      new Date(
        Math.round(startOfDay(dayOf(daysAgo), timeZone).getTime() + minuteOfDay * MINUTE_MS),
      ),
    isWeekend: (daysAgo) => [0, 6].includes(new Date(Date.parse(dayOf(daysAgo))).getUTCDay()),
    minutesAgo: (minutes) => before(minutes * MINUTE_MS),
    thisWeek: (minutes, place) =>
      before(Math.min(minutes * MINUTE_MS, (sinceMondayMs * place) / 8)),
  };
}
