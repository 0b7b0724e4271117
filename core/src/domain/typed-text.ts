/** Soft hyphens, zero-width characters, marks of direction, variation selectors. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
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
