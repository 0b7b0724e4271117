import { wallTime } from '@invigil/core/domain/local-time';

/** `2026-05-14 10:35:00`, which every spreadsheet reads as a time. */
export const clockTime = (at: Date, timeZone: string): string =>
  new Date(wallTime(at, timeZone)).toISOString().slice(0, 19).replace('T', ' ');

/** `20260514-103500`: a moment for file names. */
export function fileTime(now: Date, timeZone: string): string {
  const [day = '', time = ''] = new Date(wallTime(now, timeZone)).toISOString().split('T');
  return `${day.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}`;
}
