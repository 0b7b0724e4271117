/**
 * How a language writes numbers, dates and lists. Nothing else asks `Intl` for a text that people read;
 * what programs read (CSV, the API, logs, file names) does not depend on a language.
 */

/** Day before month, 24-hour clock. */
const ENGLISH = 'en-GB';

let inUse: () => string = () => 'en';

/** The tag of the language in which texts are made: `en`, `pt-BR`. */
export const currentLanguage = (): string => inUse();

/** Says where the language in use is found: a page has one, a server one for each reader. */
export function takeLanguageFrom(source: () => string): void {
  inUse = source;
}

/** A language, first of all the one in use, as `Intl` takes it. */
export function currentLocale(language = inUse()): string {
  return language.startsWith('en') ? ENGLISH : language;
}

/** The same with Latin figures, which are those of every language here, as in formulas, codes and keys. */
export const latinLocale = (language = inUse()): string =>
  `${new Intl.Locale(currentLocale(language), { numberingSystem: 'latn' })}`;

const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur']);

/** Whether the language is written from right to left. */
export const isRightToLeft = (locale = inUse()): boolean =>
  RIGHT_TO_LEFT.has(new Intl.Locale(locale).language);

/** Cached: creating a format takes a hundred times as long as using it. */
const made = new Map<string, unknown>();

function cached<Options, Format>(
  Type: new (locale: string, options: Options) => Format,
  options: Options,
): Format {
  const locale = currentLocale();
  const key = `${locale} ${Type.name} ${JSON.stringify(options)}`;
  let format = made.get(key) as Format | undefined;
  if (format === undefined) {
    format = new Type(latinLocale(), options);
    made.set(key, format);
  }
  return format;
}

/** `12,500`, `0.125`: groups of thousands and at most three decimals, unless `options` say otherwise. */
export const numberText = (n: number, options: Intl.NumberFormatOptions = {}): string =>
  cached(Intl.NumberFormat, options).format(n);

/**
 * `1250.5`: every decimal and no groups, for points and measured values.
 *
 * @param decimals exactly so many, as `toFixed` rounds
 */
export function figureText(n: number, decimals?: number): string {
  const value = decimals === undefined ? n : Number(n.toFixed(decimals));
  return numberText(value + 0, {
    useGrouping: false,
    minimumFractionDigits: decimals ?? 0,
    maximumFractionDigits: decimals ?? 20,
  });
}

/** Stands between a whole number and its decimals: `.` or `,`. */
export const decimalSign = (): string => figureText(0.5).charAt(1);

/** `92.5 %` from 92.5: with a no-break space in English; other languages place their own sign. */
export const percentText = (percent: number, decimals?: number): string =>
  inUse().startsWith('en')
    ? `${figureText(percent, decimals)}\u00a0%`
    : numberText(percent / 100, {
        style: 'percent',
        minimumFractionDigits: decimals ?? 0,
        maximumFractionDigits: decimals ?? 2,
      });

/** A date or a time of day; in the reader's time zone, unless `options` name another. */
export const dateText = (at: string | number | Date, options: Intl.DateTimeFormatOptions): string =>
  cached(Intl.DateTimeFormat, options)
    .format(new Date(at))
    // Half of a day is said beside its time, which Arabic alone leaves to the break of a line.
    .replace(/(:\d\d) (?=[صم])/, '$1\u00a0');

/** The offset of a time zone at a moment: `GMT+2`. */
export const offsetText = (at: string, timeZone: string): string =>
  cached(Intl.DateTimeFormat, { timeZone, timeZoneName: 'shortOffset' })
    .formatToParts(new Date(at))
    .find((part) => part.type === 'timeZoneName')?.value ?? '';

/** `2 min ago`, `3 days ago` */
export const agoText = (n: number, unit: 'minute' | 'hour' | 'day'): string =>
  cached(Intl.RelativeTimeFormat, { numeric: 'always', style: 'short' }).format(-n, unit);

/** `camera, microphone and fullscreen`; with `unit` a plain row: `camera, microphone, fullscreen` */
export const listText = (
  words: readonly string[],
  type: 'conjunction' | 'disjunction' | 'unit' = 'conjunction',
) => cached(Intl.ListFormat, { type }).format(words);

/** The order of names in a list for people: `Part 2` before `Part 10`. */
export const compareNames = (a: string, b: string): number =>
  cached(Intl.Collator, { numeric: true, sensitivity: 'base' }).compare(a, b);

/** `A`, `B`: Latin in every language, since texts of questions refer to them and keys select them. */
export const optionLetter = (index: number): string => String.fromCharCode(65 + index);
