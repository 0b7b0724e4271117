import { t } from '@invigil/core/texts/i18n';
import { zoneName } from './format.ts';

/** `Times in Europe/London`, beside times that are shown without their zone. */
export const timesInText = (): string =>
  t(/* the times of day on this page; zone: a time zone */ 'portal.timesIn', 'Times in {zone}', {
    zone: zoneName(),
  });

/** `80 s` */
export const secondsText = (seconds: number): string =>
  t(/* a duration, short */ 'portal.duration.seconds', '{seconds} s', { seconds });

/** `12 s`, `1 min 20 s`; from whole seconds. */
export function shortDuration(seconds: number): string {
  if (seconds < 60) return secondsText(seconds);
  const minutes = Math.floor(seconds / 60);
  return seconds % 60 === 0
    ? t(/* a duration, short */ 'portal.duration.minutes', '{minutes} min', { minutes })
    : t(/* a duration, short */ 'portal.duration.minutesSeconds', '{minutes} min {seconds} s', {
        minutes,
        seconds: seconds % 60,
      });
}
