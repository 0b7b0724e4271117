/** The time that the clocks of a time zone show, to the second, in milliseconds as if it were UTC. */
export function wallTime(at: Date, timeZone: string): number {
  const parts = formatOf(timeZone).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((p) => p.type === type)?.value ?? 0);
  return Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
}

/** Cached: creating one takes a hundred times as long as using it, and a year has many days. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  });
  formats.set(timeZone, made);
  return made;
}

/** `2026-05-14 10:35:00`, which every spreadsheet reads as a time. */
export const clockTime = (at: Date, timeZone: string): string =>
  new Date(wallTime(at, timeZone)).toISOString().slice(0, 19).replace('T', ' ');

/** `20260514-103500`: a moment for file names. */
export function fileTime(now: Date, timeZone: string): string {
  const [day = '', time = ''] = new Date(wallTime(now, timeZone)).toISOString().split('T');
  return `${day.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}`;
}
