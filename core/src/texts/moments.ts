import { dateText, offsetText } from '../domain/locale.ts';

/** `Thursday, 14 May 2026 at 18:00 (Europe/Berlin, GMT+2)`. */
export function momentText(moment: string, timeZone: string): string {
  const date = dateText(moment, { timeZone, dateStyle: 'full' });
  const time = dateText(moment, { timeZone, timeStyle: 'short' });
  const offset = offsetText(moment, timeZone);
  return `${date} at ${time} (${timeZone}${offset && timeZone !== 'UTC' ? `, ${offset}` : ''})`;
}

/** The same to the second: `Thursday, 14 May 2026 at 18:00:05 (Europe/Berlin)`. */
export function secondText(moment: string, timeZone: string): string {
  return `${dateText(moment, { timeZone, dateStyle: 'full', timeStyle: 'medium' })} (${timeZone})`;
}

/** Shown in the place of an end that is not set. */
export const NO_END = 'No end date';
