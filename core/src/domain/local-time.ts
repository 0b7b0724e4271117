/** Times as the clocks of a time zone show them: which moment they are, and how people write them. */

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

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

const offset = (atMs: number, timeZone: string): number =>
  wallTime(new Date(atMs), timeZone) - Math.floor(atMs / 1_000) * 1_000;

/**
 * The moment of a time that the clocks of a zone show, which is given as if it were UTC. Clocks that go back show
 * an hour twice: its first time counts. Clocks that go forward leave an hour out: a time in it `isSkipped`, and is
 * as long after the change as it would have been without it. Browsers read their fields in the same way.
 */
export function fromWallTime(wallMs: number, timeZone: string): { at: Date; isSkipped: boolean } {
  // No zone changes its clocks twice within two days.
  const before = wallMs - offset(wallMs - DAY_MS, timeZone);
  const after = wallMs - offset(wallMs + DAY_MS, timeZone);
  const shown = [Math.min(before, after), Math.max(before, after)].find(
    (at) => wallTime(new Date(at), timeZone) === Math.floor(wallMs / 1_000) * 1_000,
  );
  return { at: new Date(shown ?? before), isSkipped: shown === undefined };
}

/** Why a written time is not read. */
export type TimeProblem = 'not_time' | 'day_or_month' | 'skipped_time';

const DATES = [
  /^(?<y>\d{4})(?:[-./年])(?<m>\d{1,2})(?:[-./月])(?<d>\d{1,2})日?/,
  /^(?<d>\d{1,2})\. ?(?<m>\d{1,2})\. ?(?<y>\d{4})/,
  /^(?<a>\d{1,2})(?<by>[-/])(?<b>\d{1,2})\k<by>(?<y>\d{4})/,
];

const TIME =
  /^(?<h>\d{1,2})(?:[:.h](?<min>\d{2})(?::(?<s>\d{2})(?:\.\d+)?)?)? ?(?<half>[ap]\.?m\.?|h|uhr)?$/i;
const WITH_OFFSET = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/i;

/**
 * Reads a date with a time as people and spreadsheets write it: `2026-05-14 10:00`, `14.05.2026, 10:00 Uhr`,
 * `5/14/2026 10:00 AM`, `2026年5月14日 10:00`. Where day and month cannot be told apart, it is asked for. A time
 * with an offset, as of a program, is that moment in every zone.
 */
export function readTime(
  written: string,
  timeZone: string,
): { at: Date } | { problem: TimeProblem } {
  const text = written.normalize('NFKC').replace(/\s+/g, ' ').trim();
  if (WITH_OFFSET.test(text)) {
    const at = new Date(text);
    return Number.isNaN(at.getTime()) ? { problem: 'not_time' } : { at };
  }
  const found = DATES.map((form) => form.exec(text)).find((match) => match !== null);
  const { y = '', m = '', d = '', a = '', b = '' } = found?.groups ?? {};
  const rest = text.slice(found?.[0].length ?? 0).replace(/^(?:T|,? )/i, '');
  const time = rest === '' ? undefined : TIME.exec(rest)?.groups;
  if (time === undefined || (time.min === undefined && time.half === undefined)) {
    return { problem: 'not_time' };
  }
  if (a !== '' && Number(a) <= 12 && Number(b) <= 12 && a !== b) return { problem: 'day_or_month' };
  const isMonthFirst = Number(b) > 12;
  const [day, month] = a === '' ? [d, m] : isMonthFirst ? [b, a] : [a, b];
  const wallMs = wallOf(Number(y), Number(month), Number(day), time);
  if (wallMs === null) return { problem: 'not_time' };
  const { at, isSkipped } = fromWallTime(wallMs, timeZone);
  return isSkipped ? { problem: 'skipped_time' } : { at };
}

/** A date and a time as if they were UTC; null: no calendar or clock has them. */
function wallOf(
  year: number,
  month: number,
  day: number,
  { h, min = '0', s = '0', half = '' }: Record<string, string | undefined>,
): number | null {
  const isHalf = /^[ap]/i.test(half);
  const hour = isHalf ? (Number(h) % 12) + (/^p/i.test(half) ? 12 : 0) : Number(h);
  if (isHalf && (Number(h) < 1 || Number(h) > 12)) return null;
  if (hour > 23 || Number(min) > 59 || Number(s) > 59) return null;
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || year < 1970) return null;
  return date.getTime() + (hour * 60 + Number(min)) * MINUTE_MS + Number(s) * 1_000;
}
