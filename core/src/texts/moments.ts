/** `Thursday, 14 May 2026 at 18:00 (Europe/Berlin, GMT+2)`. */
export function momentText(moment: string, timeZone: string): string {
  const at = new Date(moment);
  const date = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full' }).format(at);
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' }).format(at);
  const offset = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'shortOffset' })
    .formatToParts(at)
    .find((part) => part.type === 'timeZoneName')?.value;
  return `${date} at ${time} (${timeZone}${offset && timeZone !== 'UTC' ? `, ${offset}` : ''})`;
}

/** The same to the second: `Thursday, 14 May 2026 at 18:00:05 (Europe/Berlin)`. */
export function secondText(moment: string, timeZone: string): string {
  const how = { timeZone, dateStyle: 'full', timeStyle: 'medium' } as const;
  return `${new Intl.DateTimeFormat('en-GB', how).format(new Date(moment))} (${timeZone})`;
}

/** Shown in the place of an end that is not set. */
export const NO_END = 'No end date';
