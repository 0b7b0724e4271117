import type { StatsCharts } from '@invigil/core/contract/review/stats';

export interface Bar {
  /** Text in the table: `90 to 100`, `14 May 2026`. */
  name: string;
  count: number;
}

/** The ten bins in percent, the last one closed on both ends. */
export function scoreBars(histogram: StatsCharts['histogram']): Bar[] {
  return histogram.map((count, bin) => ({
    name: bin === 9 ? '90 to 100' : `${bin * 10} to ${bin * 10 + 9}`,
    count,
  }));
}

// A day in the server's time zone is a date, not an instant: do not convert it.
const dayName = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

export function dayBars(completions: StatsCharts['completions']): Bar[] {
  return completions.map(({ day, count }) => ({ name: dayName.format(new Date(day)), count }));
}

/** Heights in percent of the highest bar; nonzero values are always visible. */
export function heightOf(count: number, most: number): number {
  return count === 0 || most === 0 ? 0 : Math.max(2, (count / most) * 100);
}

export function totalOf(bars: readonly Bar[]): number {
  return bars.reduce((sum, { count }) => sum + count, 0);
}
