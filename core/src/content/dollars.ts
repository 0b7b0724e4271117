/**
 * A sign that only TeX has: a command, a group, something raised or lowered. The anchor of `(^a` raises
 * nothing, and `LD_PATH` is a name.
 */
const TEX_SIGN = /[\\{}]|(?<![([])\^|(?<![A-Za-z]{2})_|_(?![A-Za-z]{2})/;

/** `|^`, or `)|(^`: another alternative of a regular expression, behind the dollar that ends the one before. */
const NEXT_ALTERNATIVE = /^\)?\|\(?\^/;

/** Letters of scripts that put spaces between words: in Chinese, `设$x$为` is a formula. */
const TOUCHES = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]/u;

/**
 * Whether what is between two single dollars is text, as in `=SUM($A$1:$B$2)`, `$PATH:$HOME` and
 * `^a$|^b$`: it has no sign of TeX, and letters or digits touch it from outside. One letter is a formula
 * before an ending (`$n$th`) and behind a number (`2$x$`).
 *
 * @param before what is left of the first dollar; its last character is read
 * @param after what is right of the last dollar; its first two characters are read
 */
export function isTextInDollars(tex: string, before: string, after: string): boolean {
  if (NEXT_ALTERNATIVE.test(tex)) return true;
  if (after.startsWith('|^') && !/[\\{}]/.test(tex)) return true;
  if (TEX_SIGN.test(tex)) return false;
  const isTouchedBefore = TOUCHES.test(before.slice(-1));
  const isTouchedAfter = TOUCHES.test(after.slice(0, 1));
  if (/^\p{L}$/u.test(tex)) {
    const isBeforeEnding = !isTouchedBefore && /^\p{L}{2}/u.test(after);
    const isBehindNumber = !isTouchedAfter && /\p{N}$/u.test(before);
    if (isBeforeEnding || isBehindNumber) return false;
  }
  return isTouchedBefore || isTouchedAfter;
}

/** A formula in braces where without them it would be text, with what touches its dollars. */
export function inBraces(tex: string, before: string, after: string): string {
  return isTextInDollars(tex, before, after) ? `{${tex}}` : tex;
}
