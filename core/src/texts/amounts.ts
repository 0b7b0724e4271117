import { figureText } from '../domain/locale.ts';
import { t } from './i18n.ts';

/** 'third', '21st' */
export const ordinal = (n: number): string =>
  t(
    /* stands in sentences such as “the third ends the assessment”: the third time, the third violation */ 'amount.ordinal',
    '{n, selectordinal, =1 {first} =2 {second} =3 {third} =4 {fourth} =5 {fifth} =6 {sixth} =7 {seventh} =8 {eighth} one {#st} two {#nd} few {#rd} other {#th}}',
    { n },
  );

/** '1 second', '3.5 seconds' */
export function secondsText(ms: number): string {
  const n = Math.round(ms) / 1_000;
  return t(
    /* n decides on the form, figure is the same number as it is written: 3.5 */ 'amount.seconds',
    '{n, plural, one {{figure} second} other {{figure} seconds}}',
    { n, figure: figureText(n) },
  );
}

/** '1 minute', '5 minutes' */
export function minutesText(ms: number): string {
  const n = Math.round(ms / 60_000);
  return t('amount.minutes', '{n, plural, one {{figure} minute} other {{figure} minutes}}', {
    n,
    figure: figureText(n),
  });
}

/** '1 minute', '75 minutes', '37 minutes 30 seconds': exactly what the clock has */
export function durationText(minutes: number): string {
  const seconds = Math.round(minutes * 60);
  return seconds % 60 === 0 ? minutesText(seconds * 1_000) : minutesAndSecondsText(seconds);
}

/** '37 minutes 30 seconds', '2 minutes 0 seconds'; whole seconds in */
export function minutesAndSecondsText(seconds: number): string {
  const rest = seconds % 60;
  return t(
    /* a duration: “37 minutes 30 seconds” */ 'amount.minutesAndSeconds',
    '{minutes} {seconds}',
    { minutes: minutesText((seconds - rest) * 1_000), seconds: secondsText(rest * 1_000) },
  );
}

/** 'every second', 'every 30 seconds', 'every 2 minutes': never rounded, since it is part of the consent. */
export function everyText(ms: number): string {
  if (ms % 60_000 === 0) {
    const n = ms / 60_000;
    return t(
      /* how often: “Photos are kept every 2 minutes” */ 'amount.everyMinutes',
      '{n, plural, =1 {every minute} other {every {figure} minutes}}',
      { n, figure: figureText(n) },
    );
  }
  const n = ms / 1_000;
  return t(
    /* how often: “Photos are kept every 30 seconds” */ 'amount.everySeconds',
    '{n, plural, =1 {every second} other {every {figure} seconds}}',
    { n, figure: figureText(n) },
  );
}
