import { dateText, offsetText } from '../domain/locale.ts';
import { t } from './i18n.ts';

/** `Thursday, 14 May 2026 at 18:00 (Europe/Berlin, GMT+2)`. */
export function momentText(moment: string, timeZone: string): string {
  const date = dateText(moment, { timeZone, dateStyle: 'full' });
  const time = dateText(moment, { timeZone, timeStyle: 'short' });
  const offset = offsetText(moment, timeZone);
  return offset && timeZone !== 'UTC'
    ? t(
        /* Thursday, 14 May 2026 at 18:00 (Europe/Berlin, GMT+2) */ 'moment.withOffset',
        '{date} at {time} ({timeZone}, {offset})',
        { date, time, timeZone, offset },
      )
    : t(
        /* Thursday, 14 May 2026 at 18:00 (UTC) */ 'moment.inTimeZone',
        '{date} at {time} ({timeZone})',
        { date, time, timeZone },
      );
}

/** The same to the second: `Thursday, 14 May 2026 at 18:00:05 (Europe/Berlin)`. */
export function secondText(moment: string, timeZone: string): string {
  return `${dateText(moment, { timeZone, dateStyle: 'full', timeStyle: 'medium' })} (${timeZone})`;
}

/** Shown in the place of an end that is not set. */
export const noEndText = (): string =>
  t(/* in the place of the date until which an assessment is open */ 'moment.noEnd', 'No end date');
