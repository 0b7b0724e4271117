import { t } from '../texts/i18n.ts';
import { isRightToLeft } from './locale.ts';

/** Soft hyphens, zero-width characters, marks of direction, variation selectors. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Invisible characters that names need: joiners within words (Persian, Malayalam, Sinhala), also after a vowel
 * killer at the end; variants of Chinese and Mongolian letters; what makes one picture of several.
 */
const NEEDED = new RegExp(
  [
    '(?<=[\\p{L}\\p{M}])[\\u200c\\u200d](?=[\\p{L}\\p{M}])',
    '(?<=[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca])[\\u200c\\u200d]',
    '(?<=\\p{sc=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
    '(?<=\\p{sc=Mong})[\\u180b-\\u180f]',
    '(?<=\\p{ExtPict}|\\p{EMod}|\\ufe0f)\\u200d(?=\\p{ExtPict})',
    '(?<=\\p{ExtPict})\\ufe0f|\\ufe0f(?=\\u20e3)',
  ].join('|'),
  'gu',
);
/** Also control characters, annotations and the blank of Braille. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\ufff9-\ufffb\u2800]/u;

/** Whether everything in a name can be seen, and nothing turns the text around it. */
export const isVisible = (text: string): boolean => !HIDDEN.test(text.replace(NEEDED, ''));

/** Why a name that is not visible is refused. */
export const notVisible = (): string =>
  t('field.notVisible', 'This has an invisible character. Delete it or type the text again');

/** Letters that are written from right to left, and marks of direction in names of old. */
const TURNS =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]|\p{Bidi_Control}/u;

/**
 * A name, an address or a code for a sentence or a list: its direction changes nothing of what is around it
 * (Unicode's isolates). In a language from left to right, only what has letters from right to left needs them.
 */
export const isolated = (name: string): string =>
  isRightToLeft() || TURNS.test(name) ? `\u2068${name}\u2069` : name;

/** Figures in the order in which they are written, also in a line from right to left: `3 / 5` is not `5 / 3`. */
export const inOrder = (figures: string): string =>
  isRightToLeft() ? `\u2066${figures}\u2069` : figures;

/**
 * Other forms of the same characters, by width, as ligatures or for vertical lines: full-width Latin,
 * half-width kana, ﬁ, ĳ, …, and the micro sign. Not here, because they read otherwise: superscripts and
 * subscripts (x²), fractions (½), circled numbers, letters of mathematics (ℝ).
 */
const FORMS =
  /[\u00b5\u0132\u0133\u013f\u0140\u01c4-\u01cc\u01f1-\u01f3\u2024-\u2026\ufb00-\ufdfb\ufe10-\ufe6f\ufe70-\ufefc\uff01-\uffef]+/g;
const APOSTROPHES = /[`´ʹʻʼʽ՚׳‘’‚‛′‵‹›ꞌ]/g;
const QUOTES = /[«»ʺ״“”„‟″‶〝-〟]/g;
/** The wave dash is left alone: it is written for a tilde. */
const DASHES = /[\u02d7\u058a\u05be\u2010-\u2015\u2043\u2212\u2e3a\u2e3b]/g;

/**
 * A text with one sign for those that a keyboard or word processor chooses: `'`, `"`, `-`, `...` and the
 * space stand for all their kinds, letters are composed and of ordinary width, and invisible characters
 * are left out. Single and double quotes stay different, and so do `--` and `-`.
 */
export function plainSigns(text: string): string {
  return text
    .normalize('NFC')
    .replace(INVISIBLE, '')
    .replace(FORMS, (forms) => forms.normalize('NFKC'))
    .replace(APOSTROPHES, "'")
    .replace(QUOTES, '"')
    .replace(DASHES, '-')
    .replace(/\u22ef/g, '...')
    .replace(/\p{Zs}/gu, ' ')
    .normalize('NFC');
}

/**
 * Equal for texts that differ in case alone, by Unicode's full case folding: ß, ẞ and SS, ﬁ and FI, σ, ς
 * and Σ. I, i, İ and ı are one letter: in capitals they cannot be told apart without the language.
 */
export function foldCase(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase();
  // Letter by letter: in a word, Σ at its end would become ς. Lower case first: ẞ has no upper one.
  const letters = Array.from(text.normalize('NFD'), (letter) =>
    letter.toLowerCase().toUpperCase().toLowerCase(),
  );
  return letters
    .join('')
    .replace(/i\u0307+/g, 'i')
    .normalize('NFC');
}

const PLAIN: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ð: 'd', æ: 'ae', œ: 'oe', þ: 'th' };

/** A text as people search for it: folded, without the accents of Latin, Greek and Cyrillic letters. */
export const plainLetters = (text: string): string =>
  foldCase(text)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[łøđðæœþ]/g, (letter) => PLAIN[letter] ?? letter);

/**
 * The key that typed texts are compared by: equal for two texts that count as the same answer. Spaces at the ends
 * never count.
 */
export function typedTextKey(
  text: string,
  {
    isCaseSensitive = false,
    isSpaceExact = false,
  }: { isCaseSensitive?: boolean | undefined; isSpaceExact?: boolean | undefined },
): string {
  const plain = plainSigns(text).trim();
  const spaced = isSpaceExact ? plain : plain.replace(/\s+/g, ' ');
  // The signs once more: ŉ is an apostrophe and an n.
  return isCaseSensitive ? spaced : plainSigns(foldCase(spaced));
}
