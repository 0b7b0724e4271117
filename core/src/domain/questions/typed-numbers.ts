import { QUESTION_LIMITS } from '../limits.ts';
import { plainSigns } from '../typed-text.ts';
import { type Decimal, parseDecimal } from './decimal.ts';

/** A number as a candidate typed it, and the unit behind it; '' without one. */
export interface TypedNumber {
  value: Decimal;
  unit: string;
}

/** Why a typed text is not read: no number at all, more than a number, or one that is still to be computed. */
export type NumberProblem = 'no-number' | 'only-number' | 'calculation';

/** An exponent that is typed without `^` does not begin with 0: 5 × 100 is no power of ten. */
const NUMBER_AND_UNIT =
  /^([+-]?[\d.,'\s]*\d[.,]?)(?:(?:\s*[x×·⋅∙*]\s*10\s*(?:\^\s*|(?!0))|e)([+-]?\d{1,3}))?\s*([^\d\s].*)?$/iu;
const CURRENCY = String.raw`\p{Sc}|CHF|EUR|USD|GBP|JPY|Fr\.?|kr\.?|zł|Kč`;
/** A currency, or a percent sign as in Turkish. */
const SIGN_FIRST = new RegExp(String.raw`^([+-]?)\s*(%|${CURRENCY})\s*(.*)$`, 'iu');
/** Signs that people put beside a number that has no unit. */
const NO_UNIT = new RegExp(`^(?:[%°]|${CURRENCY})$`, 'iu');
/** The rest of a fraction, a power, a sum or a range after its first number. */
const CALCULATION = /^[-+*x×·⋅∙/÷⁄∕:^=]\s*[\d(.]/iu;

/**
 * Reads a number with decimal comma or point, groups of three digits, a power of ten (`1.2e3`,
 * `1,2 × 10^3`, `10³`) and perhaps a unit, in the digits of any script. Where both signs occur, the last
 * one is the decimal sign; one that occurs several times separates groups.
 *
 * @param hasUnits units count. Otherwise `%`, `°` and a currency are left out, and any other is a problem
 */
export function readTypedNumber(text: string, hasUnits: boolean): TypedNumber | NumberProblem {
  if (text.length > QUESTION_LIMITS.shortTextMaxCharacters) return 'no-number';
  const match = NUMBER_AND_UNIT.exec(inPlainDigits(text).replace(SIGN_FIRST, '$1$3 $2'));
  if (!match) return 'no-number';
  const [, number = '', exponent = '0', after = ''] = match;
  const unit = after.trim();
  if (CALCULATION.test(unit)) return 'calculation';
  const isLeftOut = !hasUnits && NO_UNIT.test(unit);
  if (!hasUnits && unit !== '' && !isLeftOut) return 'only-number';
  const plain = withDecimalPoint(number.replace(/[\s']/g, ''));
  const value = plain === null ? null : parseDecimal(`${plain}e${exponent}`);
  return value === null ? 'no-number' : { value, unit: isLeftOut ? '' : unit };
}

/** Writes ASCII digits and signs, `^` for a raised exponent and `⁄` in a fraction. */
function inPlainDigits(text: string): string {
  return signsOf(text)
    .replace(/(?![0-9])\p{Nd}/gu, digitOf)
    .replace(/(\d\s*)([⁺⁻]?[⁰¹²³⁴-⁹]+)/g, (_, before: string, raised: string) =>
      plainSigns(`${before}^${raised.normalize('NFKC')}`),
    )
    .replace(/[¼-¾⅐-⅞]/g, (fraction) => fraction.normalize('NFKC'))
    .trim()
    .replace(/^(?<sign>[+-]?)\s*10\s*\^\s*/, '$<sign>1e');
}

/** A number or a unit with the signs that are compared; before NFKC, which turns º into o and ″ into two. */
export function signsOf(text: string): string {
  return plainSigns(text).replace(/[٫٬،٪º˚]/g, (sign) => SIGNS[sign] ?? sign);
}

/** Arabic separators and percent; what stands for a degree sign on some keyboards. */
const SIGNS: Record<string, string> = {
  '٫': '.',
  '٬': "'",
  '،': ',',
  '٪': '%',
  º: '°',
  '˚': '°',
};

/** Unicode has the digits of each script in a row from 0 to 9. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}

/** The number with a decimal point and without groups; `null` when the signs make no number. */
function withDecimalPoint(number: string): string | null {
  const comma = number.lastIndexOf(',');
  const point = number.lastIndexOf('.');
  if (comma < 0 && point < 0) return number;
  const [sign, other] = comma > point ? [',', '.'] : ['.', ','];
  const parts = number.split(sign);
  if (parts.length > 2) {
    const isGrouped = !number.includes(other) && parts.slice(1).every((part) => part.length === 3);
    return isGrouped ? parts.join('') : null;
  }
  const [whole = '', fraction = ''] = parts;
  const groups = whole.split(other);
  if (groups.slice(1).some((group) => group.length !== 3)) return null;
  return `${groups.join('')}.${fraction}`;
}
