import { agoText, dateText, figureText, numberText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';

/** Dates on screens; the time zone is the reader's own. */
type Moment = string | number | Date;

/** `4 May 2026` */
export function formatDate(at: Moment): string {
  return dateText(at, { dateStyle: 'medium' });
}

/** `14 May 2026, 18:00` */
export function formatDateTime(at: Moment): string {
  return dateText(at, { dateStyle: 'medium', timeStyle: 'short' });
}

/** `18:00` */
export function formatTime(at: Moment): string {
  return dateText(at, { timeStyle: 'short' });
}

/** `18:00:05` */
export function formatClock(at: Moment): string {
  // No letters behind it in any language: it stands in the bar of the test.
  return dateText(at, { timeStyle: 'medium', hourCycle: 'h23' });
}

/** `1,250`; a dash where it is not known. */
export const countText = (n: number | null | undefined): string =>
  n == null ? '–' : numberText(n);

/** `2 min ago`, `1 hr ago`, `3 days ago` */
export function formatAgo(iso: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(iso)) / 1_000));
  if (seconds < 60) return t(/* in the place of "2 min ago" */ 'time.justNow', 'just now');
  if (seconds < 3_600) return agoText(Math.floor(seconds / 60), 'minute');
  if (seconds < 86_400) return agoText(Math.floor(seconds / 3_600), 'hour');
  return agoText(Math.floor(seconds / 86_400), 'day');
}

/** The name of the reader's time zone: `Europe/London`. */
export function zoneName(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** `Xm Ys` (specification 2), from seconds. */
export function formatTimeSpent(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return t(
    /* minutes and seconds that were needed: "6m 36s" */ 'time.spent',
    '{minutes}m {seconds}s',
    {
      minutes: Math.floor(whole / 60),
      seconds: whole % 60,
    },
  );
}

/** `mm:ss`, from an hour on `h:mm:ss`; rounded up, so that 0 means over. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const two = (n: number) => String(n).padStart(2, '0');
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return seconds < 3_600 ? rest : `${Math.floor(seconds / 3_600)}:${rest}`;
}

/** Whole minutes for the top scorers: floor of seconds / 60 (specification 2). */
export function wholeMinutes(seconds: number): number {
  return Math.floor(Math.max(0, seconds) / 60);
}

/** "1 point", "2.5 points". */
export function pointsText(points: number): string {
  return t('points.count', '{points, plural, one {{figure} point} other {{figure} points}}', {
    points,
    figure: figureText(points),
  });
}

/** The last eight characters of an id; the first ones are a timestamp and similar (product 1). */
export function shortId(id: string): string {
  return id.slice(-8);
}
