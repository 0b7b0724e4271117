/** A text, or a formula in it. */
export type TextPart = string | { tex: string; isDisplay: boolean };

const DELIMITERS = [
  { open: '\\(', close: '\\)', isDisplay: false },
  { open: '\\[', close: '\\]', isDisplay: true },
  { open: '$$', close: '$$', isDisplay: true },
];

/**
 * Splits a text at formulas in the delimiters that Moodle, Canvas and MathJax use by default:
 * `\(…\)`, `\[…\]` and `$$…$$`. A single `$` is a currency there, not a formula.
 */
export function splitFormulas(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let rest = DELIMITERS;
  let at = 0;
  while (at < text.length) {
    const from = at;
    // A delimiter that does not occur any more is not searched again, so that the time is linear.
    const starts = rest.map((delimiter) => text.indexOf(delimiter.open, from));
    rest = rest.filter((_, i) => starts[i] !== -1);
    const start = Math.min(...starts.filter((index) => index >= 0));
    const found = rest.find(({ open }) => text.startsWith(open, start));
    if (!found) break;
    const end = text.indexOf(found.close, start + 2);
    if (end < 0) {
      // There is none further on either.
      rest = rest.filter(({ open }) => open !== found.open);
      continue;
    }
    if (start > at) parts.push(text.slice(at, start));
    const tex = text.slice(start + 2, end).trim();
    if (tex !== '') parts.push({ tex, isDisplay: found.isDisplay });
    at = end + 2;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

/** TeX without the delimiters that it carries itself, as in `\[ 2>1 \]` and `$2>1$`. */
export function withoutDelimiters(tex: string): string {
  const bare = tex.trim();
  const [only, ...more] = splitFormulas(bare);
  if (typeof only === 'object' && more.length === 0) return only.tex;
  return /^\$((?:[^$\\]|\\[\s\S])*)\$$/.exec(bare)?.[1]?.trim() ?? bare;
}

/** A text inside of TeX, for `\text{…}` or `\mathrm{…}`. */
export function escapeTex(text: string): string {
  return text.replace(/[\\{}$&#%_^~]/g, (sign) => {
    if (sign === '\\') return '\\backslash ';
    if (sign === '^' || sign === '~') return sign === '^' ? '\\hat{}' : '\\sim ';
    return `\\${sign}`;
  });
}

const PLAIN = '0123456789+-=()';
const RAISED: Record<string, string> = { n: 'ⁿ', i: 'ⁱ' };
const LOWERED: Record<string, string> = { n: 'ₙ', i: 'ᵢ', a: 'ₐ', e: 'ₑ', x: 'ₓ' };
[...'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾'].forEach((sign, i) => {
  RAISED[PLAIN.charAt(i)] = sign;
});
[...'₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎'].forEach((sign, i) => {
  LOWERED[PLAIN.charAt(i)] = sign;
});
RAISED['−'] = '⁻';
LOWERED['−'] = '₋';

/** The text in raised or lowered characters, as in `m²` and `H₂O`; `null` where Unicode lacks one. */
export function raisedOrLowered(text: string, isRaised: boolean): string | null {
  const characters = [...text].map((sign) => (isRaised ? RAISED : LOWERED)[sign]);
  return characters.every((sign) => sign !== undefined) ? characters.join('') : null;
}
