import { lastDays, startOfDay, startOfWeek } from '../features/results/dashboard/week.ts';
import type { StoryTime } from './story.ts';

const MINUTE_MS = 60_000;

/** Times of the story, counted back from the fill, in the time zone of the service. */
export interface Calendar {
  now: Date;
  at(time: StoryTime): Date;
  /**
   * So many minutes ago, but never before this week began, so that even on a Monday morning there are
   * top scorers of the week. `position` keeps several of them apart.
   */
  thisWeek(minutesAgo: number, position: number): Date;
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
    thisWeek: (minutesAgo, position) =>
      before(Math.min(minutesAgo * MINUTE_MS, (sinceMondayMs * position) / 16)),
  };
}
