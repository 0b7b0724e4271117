import { dateText } from '@invigil/core/domain/locale';
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
  return `${day} at ${time}${zoneText(at, other, zone)}`;
}

/** The text after a moment in the reader's zone: ` (Europe/Berlin), which is 10:00 in Europe/Helsinki`. */
export function zoneText(at: string, other: string | null = null, zone = zoneName()): string {
  try {
    const here = inZone(at, zone);
    const there = other === null ? here : inZone(at, other);
    if (there.day === here.day && there.time === here.time) return ` (${zone})`;
    const day = there.day === here.day ? '' : `${there.day} at `;
    return ` (${zone}), which is ${day}${there.time} in ${other}`;
  } catch {
    // An institution's zone that is newer than this browser.
    return ` (${zone})`;
  }
}

function inZone(at: string, zone: string) {
  // The reader's own zone may have a name that the browser itself does not take (Chrome's "Etc/Unknown").
  const timeZone = zone === zoneName() ? undefined : zone;
  const part = (options: Intl.DateTimeFormatOptions) => dateText(at, { timeZone, ...options });
  const day = part({ weekday: 'long', day: 'numeric', month: 'long' });
  return { day, time: part({ hour: '2-digit', minute: '2-digit' }) };
}
