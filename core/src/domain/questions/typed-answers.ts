import { foldCase, plainSigns, typedTextKey } from '../typed-text.ts';
import {
  absolute,
  compareDecimals,
  type Decimal,
  multiply,
  parseDecimal,
  subtract,
} from './decimal.ts';
import {
  type AcceptedNumber,
  hasUnits,
  type NumericKey,
  type ShortTextKey,
} from './question-definition.ts';
import { readTypedNumber, signsOf, type TypedNumber } from './typed-numbers.ts';

/** The accepted number that an answer matches; the one with the highest weight where several do. */
export function matchNumber(key: NumericKey, text: string): AcceptedNumber | null {
  const typed = readTypedNumber(text, hasUnits({ numeric: key }));
  if (typeof typed === 'string') return null;
  const value = inUnitOfKey(key, typed);
  if (!value) return null;
  return best(key.accepted.filter((accepted) => accepts(accepted, value)));
}

function inUnitOfKey(key: NumericKey, { value, unit }: TypedNumber): Decimal | null {
  if (unit === '') return key.isUnitRequired ? null : value;
  const known = unitOf(key.units ?? [], unit);
  const factor = known ? parseDecimal(known.factor) : null;
  return factor ? multiply(value, factor) : null;
}

/** A unit as written, or the only one that differs from it in case alone and cannot mean another. */
function unitOf<U extends { unit: string }>(units: readonly U[], typed: string): U | undefined {
  const wanted = plainUnit(typed);
  const exact = units.find(({ unit }) => plainUnit(unit) === wanted);
  if (exact) return exact;
  const similar = units.filter(({ unit }) => foldCase(plainUnit(unit)) === foldCase(wanted));
  return similar.length === 1 && similar.every(({ unit }) => !isOtherUnit(plainUnit(unit), wanted))
    ? similar[0]
    : undefined;
}

/** Units are short: m/s², m / s^2 and m/s2 are one. The signs first, as in what is typed. */
function plainUnit(unit: string): string {
  return plainSigns(signsOf(unit).normalize('NFKC')).replace(/[\s^]/g, '');
}

/** Milli or mega, pico or peta before a unit; bits or bytes. Case is all that tells them apart. */
const PREFIXED = /^[mp](?:[abcfgjklnstvwω]|b[ql]|cd|ev|gy|hz|l[mx]|mol|ohm|pa|sv|w[bh]|m)$/i;
const BITS = /^[kmgt]?i?b(?:ps)?$/i;

/** Whether two units that are equal without case may be different ones: mW and MW, kb and kB. */
function isOtherUnit(a: string, b: string): boolean {
  const [parts, others] = [a, b].map((unit) => unit.split(/[^\p{L}]+/u));
  return (parts ?? []).some((part, i) => {
    const other = others?.[i] ?? '';
    const bit = part.search(/b/i);
    return (
      (PREFIXED.test(part) && part[0] !== other[0]) || (BITS.test(part) && part[bit] !== other[bit])
    );
  });
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
  const typed = typedTextKey(text, key);
  return best(key.accepted.filter((accepted) => typedTextKey(accepted.text, key) === typed));
}

function best<T extends { weight?: number | undefined }>(matches: readonly T[]): T | null {
  return matches.reduce<T | null>(
    (found, match) => (found && (found.weight ?? 100) >= (match.weight ?? 100) ? found : match),
    null,
  );
}
