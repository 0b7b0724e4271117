import { figureText } from '../domain/locale.ts';

const ORDINALS = ['', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];
const ENDINGS = ['th', 'st', 'nd', 'rd'];

/** 'third', '21st' */
export function ordinal(n: number): string {
  const ending = n % 100 >= 11 && n % 100 <= 13 ? 'th' : (ENDINGS[n % 10] ?? 'th');
  return ORDINALS[n] ?? `${n}${ending}`;
}

/** '1 second', '3.5 seconds' */
export function secondsText(ms: number): string {
  const n = Math.round(ms) / 1_000;
  return n === 1 ? '1 second' : `${figureText(n)} seconds`;
}

/** '1 minute', '5 minutes' */
export function minutesText(ms: number): string {
  const n = Math.round(ms / 60_000);
  return n === 1 ? '1 minute' : `${figureText(n)} minutes`;
}

/** '1 minute', '75 minutes', '37 minutes 30 seconds': exactly what the clock has */
export function durationText(minutes: number): string {
  const seconds = Math.round(minutes * 60);
  const rest = (seconds % 60) * 1_000;
  return `${minutesText(seconds * 1_000 - rest)}${rest === 0 ? '' : ` ${secondsText(rest)}`}`;
}

/** 'every second', 'every 30 seconds', 'every 2 minutes': never rounded, since it is part of the consent. */
export function everyText(ms: number): string {
  const [n, unit] = ms % 60_000 === 0 ? [ms / 60_000, 'minute'] : [ms / 1_000, 'second'];
  return n === 1 ? `every ${unit}` : `every ${figureText(n)} ${unit}s`;
}
