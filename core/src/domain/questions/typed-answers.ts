import {
  absolute,
  compareDecimals,
  type Decimal,
  multiply,
  parseDecimal,
  subtract,
} from './decimal.ts';
import type { AcceptedNumber, NumericKey, ShortTextKey } from './question-definition.ts';

/** A number as a candidate typed it, and the unit behind it; '' without one. */
export interface TypedNumber {
  value: Decimal;
  unit: string;
}

const NUMBER_AND_UNIT =
  /^([+-]?[\d.,'\s]*\d[.,]?)(?:(?:\s*[x×·*]\s*10\s*\^?\s*|e)([+-]?\d{1,3}))?\s*([^\d\s].*)?$/iu;

/**
 * Reads a number with decimal comma or point, groups of three digits, a power of ten (`1.2e3`,
 * `1,2 × 10^3`) and perhaps a unit. Where both signs occur, the last one is the decimal sign; one that
 * occurs several times separates groups. `null` when it is not a number.
 */
export function parseTypedNumber(text: string): TypedNumber | null {
  const match = NUMBER_AND_UNIT.exec(
    text
      .trim()
      .normalize('NFKC')
      .replace(/[\u2212\u2013]/g, '-'),
  );
  if (!match || text.length > 200) return null;
  const [, number = '', exponent = '0', unit = ''] = match;
  const plain = withDecimalPoint(number.replace(/[\s']/g, ''));
  const value = plain === null ? null : parseDecimal(`${plain}e${exponent}`);
  return value === null ? null : { value, unit: unit.trim() };
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

/** The accepted number that an answer matches; the one with the highest weight where several do. */
export function matchNumber(key: NumericKey, text: string): AcceptedNumber | null {
  const typed = parseTypedNumber(text);
  if (!typed) return null;
  const value = inUnitOfKey(key, typed);
  if (!value) return null;
  return best(key.accepted.filter((accepted) => accepts(accepted, value)));
}

function inUnitOfKey(key: NumericKey, { value, unit }: TypedNumber): Decimal | null {
  if (unit === '') return key.isUnitRequired ? null : value;
  const known = key.units?.find((u) => u.unit.normalize('NFKC').trim() === unit);
  const factor = known ? parseDecimal(known.factor) : null;
  return factor ? multiply(value, factor) : null;
}

function accepts(accepted: AcceptedNumber, value: Decimal): boolean {
  if ('min' in accepted) {
    const [min, max] = [parseDecimal(accepted.min), parseDecimal(accepted.max)];
    return !!min && !!max && compareDecimals(value, min) >= 0 && compareDecimals(value, max) <= 0;
  }
  const wanted = parseDecimal(accepted.value);
  if (!wanted) return false;
  if (!('tolerancePercent' in accepted)) return compareDecimals(value, wanted) === 0;
  const percent = parseDecimal(accepted.tolerancePercent);
  if (!percent) return false;
  const allowed = multiply(multiply(absolute(wanted), percent), { digits: 1n, scale: 2 });
  return compareDecimals(absolute(subtract(value, wanted)), allowed) <= 0;
}

/** The accepted text that an answer matches; the one with the highest weight where several do. */
export function matchShortText(
  key: ShortTextKey,
  text: string,
): ShortTextKey['accepted'][number] | null {
  const typed = normalizeTyped(key, text);
  return best(key.accepted.filter((accepted) => normalizeTyped(key, accepted.text) === typed));
}

function normalizeTyped(key: ShortTextKey, text: string): string {
  const spaced = text.normalize('NFC').trim();
  const cased = key.isCaseSensitive ? spaced : spaced.toLowerCase();
  return key.isSpaceExact ? cased : cased.replace(/\s+/g, ' ');
}

function best<T extends { weight?: number | undefined }>(matches: readonly T[]): T | null {
  return matches.reduce<T | null>(
    (found, match) => (found && (found.weight ?? 100) >= (match.weight ?? 100) ? found : match),
    null,
  );
}
