import { dateText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { zoneName } from './format.ts';

/**
 * `Thursday, 3 December at 09:00 (Europe/Berlin)`, with the same moment in another zone where its clock differs:
 * `, which is 10:00 in Europe/Helsinki`.
 *
 * @param zone by its IANA name; the text begins with it
 * @param other `null` if it is not known
 */
export function momentText(at: string, zone: string, other: string | null): string {
  const { day, time } = inZone(at, zone);
  return `${dayTimeText(day, time)}${zoneText(at, other, zone)}`;
}

/** The text after a moment in the reader's zone: ` (Europe/Berlin), which is 10:00 in Europe/Helsinki`. */
export function zoneText(at: string, other: string | null = null, zone = zoneName()): string {
  try {
    const here = inZone(at, zone);
    const there = other === null ? here : inZone(at, other);
    if (there.day === here.day && there.time === here.time) return ` (${zone})`;
    const time = there.day === here.day ? there.time : dayTimeText(there.day, there.time);
    return ` ${t(
      /* after a time of day: its zone, and the same moment in another zone */ 'moment.inOtherZone',
      '({zone}), which is {time} in {other}',
      { zone, time, other: other ?? zone },
    )}`;
  } catch {
    // An institution's zone that is newer than this browser.
    return ` (${zone})`;
  }
}

const dayTimeText = (day: string, time: string): string =>
  t(/* "Thursday, 3 December at 09:00" */ 'moment.dayTime', '{day} at {time}', { day, time });

function inZone(at: string, zone: string) {
  // The reader's own zone may have a name that the browser itself does not take (Chrome's "Etc/Unknown").
  const timeZone = zone === zoneName() ? undefined : zone;
  const part = (options: Intl.DateTimeFormatOptions) => dateText(at, { timeZone, ...options });
  const day = part({ weekday: 'long', day: 'numeric', month: 'long' });
  return { day, time: part({ hour: '2-digit', minute: '2-digit' }) };
}
