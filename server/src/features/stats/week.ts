/**
 * The moment when this week began: Monday 00:00 in the given zone (product 3). Works across changes
 * to and from summer time, because the offset is looked up at the moment itself.
 */
export function startOfWeek(now: Date, timeZone: string): Date {
  const local = wallTime(now, timeZone);
  const weekday = (new Date(local).getUTCDay() + 6) % 7;
  const midnight = Math.floor(local / 86_400_000) * 86_400_000 - weekday * 86_400_000;
  // Twice: the first guess may fall on the other side of a change of the clocks.
  let guess = midnight - offset(new Date(midnight), timeZone);
  guess = midnight - offset(new Date(guess), timeZone);
  return new Date(guess);
}

/** What the clock on the wall shows, written as if it were UTC. */
function wallTime(at: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(at);
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

function offset(at: Date, timeZone: string): number {
  return wallTime(at, timeZone) - Math.floor(at.getTime() / 1_000) * 1_000;
}
