import { fromWallTime, wallTime } from '@invigil/core/domain/local-time';
import { lastDays, startOfDay, startOfWeek } from '../features/results/dashboard/week.ts';
import type { StoryTime, StoryWindow } from './story.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Times of the story, counted from the fill, in the time zone of the service. */
export interface Calendar {
  now: Date;
  at(time: StoryTime): Date;
  /**
   * So many minutes ago, but never before this week began, so that even on a Monday morning there are
   * top scorers of the week. `position` keeps several of them apart.
   */
  thisWeek(minutesAgo: number, position: number): Date;
  /** Some hours of a coming day, as a rule has them. */
  window(of: StoryWindow): { opensAt: string; endDate: string };
}

export function calendarOf(now: Date, timeZone: string): Calendar {
  const sinceMondayMs = now.getTime() - startOfWeek(now, timeZone).getTime();
  const before = (ms: number) => new Date(Math.round(now.getTime() - ms));
  return {
    now,
    at(time) {
      if ('minutesAgo' in time) return before(time.minutesAgo * MINUTE_MS);
      const day = lastDays(now, time.daysAgo + 1, timeZone)[0] ?? '';
      return new Date(startOfDay(day, timeZone).getTime() + time.minute * MINUTE_MS);
    },
    window({ inDays, opens, ends }) {
      const day = (Math.floor(wallTime(now, timeZone) / DAY_MS) + inDays) * DAY_MS;
      const iso = (minute: number) =>
        fromWallTime(day + minute * MINUTE_MS, timeZone).at.toISOString();
      return { opensAt: iso(opens), endDate: iso(ends) };
    },
    thisWeek: (minutesAgo, position) =>
      before(Math.min(minutesAgo * MINUTE_MS, (sinceMondayMs * position) / 16)),
  };
}
