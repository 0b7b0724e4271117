import { wallTime } from '../runtime/wall-time.ts';

/** `20260514-103500`: a moment for file names. */
export function fileTime(now: Date, timeZone: string): string {
  const [day = '', time = ''] = new Date(wallTime(now, timeZone)).toISOString().split('T');
  return `${day.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}`;
}
