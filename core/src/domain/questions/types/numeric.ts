import { t } from '../../../texts/i18n.ts';
import { QUESTION_LIMITS } from '../../limits.ts';
import { listText } from '../../locale.ts';
import { foldCase, plainSigns } from '../../typed-text.ts';
import {
  absolute,
  compareDecimals,
  type Decimal,
  formatDecimal,
  multiply,
  parseDecimal,
  subtract,
} from '../decimal.ts';
import { type AcceptedNumber, hasUnits, type NumericKey } from '../question-definition.ts';
import { cleanText } from '../question-options.ts';
import { readTypedNumber, signsOf, type TypedNumber } from '../typed-numbers.ts';
import type { DefinitionProblem } from './type-of-question.ts';
import { best, tooMany, typedType } from './typed.ts';
import { cleanWeight } from './weights.ts';

const MESSAGES = {
  number: () => t('definition.numberKey', 'Enter a number, with a point for decimals'),
  range: () => t('definition.range', 'The lower end of a range comes first'),
  tolerance: () => t('definition.tolerance', 'Enter a tolerance of 0 percent or more'),
  factor: () => t('definition.factor', 'Enter a number above 0'),
  unit: () =>
    t('definition.unit', 'Enter a unit of at most 50 characters that does not begin with a digit'),
  unitTwice: () => t('definition.unitTwice', 'This unit is there twice'),
};

const rangeText = ({ min, max }: { min: string; max: string }) =>
  t(/* a range of numbers */ 'definition.numberRange', '{min} to {max}', { min, max });

export const numeric = typedType<AcceptedNumber, NumericKey>({
  name: () => t(/* a type of question */ 'definition.numeric', 'Number'),
  keyField: 'numeric',
  keyIn: (definition) => definition.numeric,
  clean: ({ rule, numeric: { accepted = [], units = [], isUnitRequired } = {} }) => ({
    numeric: {
      accepted: accepted.map((one) => ({ ...cleanNumber(one), ...cleanWeight(rule, one) })),
      ...(units.length > 0
        ? { units: units.map((u) => ({ unit: cleanText(u.unit), factor: u.factor.trim() })) }
        : {}),
      ...(isUnitRequired && units.length > 0 ? { isUnitRequired } : {}),
    },
  }),
  problems: ({ accepted, units = [] }) => [
    ...accepted.flatMap((number, i) =>
      numberProblems(number).map(({ path, message }) => ({
        path: `accepted.${i}.${path}`,
        message,
      })),
    ),
    ...(units.length > QUESTION_LIMITS.acceptedMax ? [{ path: 'units', message: tooMany() }] : []),
    ...unitProblems(units),
  ],
  match: (key, text) => {
    const typed = readTypedNumber(text, hasUnits({ numeric: key }));
    if (typeof typed === 'string') return null;
    const value = inUnitOfKey(key, typed);
    if (!value) return null;
    return best(key.accepted.filter((accepted) => accepts(accepted, value)));
  },
  plainKey: ({ accepted, units = [], ...rest }) => ({
    ...rest,
    accepted: accepted.map(plainNumber),
    units: units.map(({ unit, factor }) => ({ unit, factor: plain(factor) })),
  }),
  words: (accepted) => {
    if ('min' in accepted) return rangeText(accepted);
    return 'tolerancePercent' in accepted
      ? `${accepted.value} (±${accepted.tolerancePercent}%)`
      : accepted.value;
  },
  releasedWords: (accepted, { isUnitRequired, units }) => {
    const unit = isUnitRequired && units?.find(({ factor }) => Number(factor) === 1);
    return `${releasedNumber(accepted)}${unit ? ` ${unit.unit}` : ''}`;
  },
  keyRules: ({ units = [], isUnitRequired }) => {
    if (units.length === 0) return [];
    const names = units.map(({ unit, factor }) =>
      factor === '1' ? unit : `${unit} (× ${factor})`,
    );
    const list = listText(names, 'unit');
    return [
      isUnitRequired
        ? t(
            /* one of them has to be typed */ 'definition.unitsRequired',
            'Units: {list} (required)',
            {
              list,
            },
          )
        : t('definition.units', 'Units: {list}', { list }),
    ];
  },
  example: ({ accepted: [first], isUnitRequired, units }) => {
    const number = first === undefined ? '' : 'min' in first ? first.min : first.value;
    return `${number}${isUnitRequired ? ` ${units?.[0]?.unit ?? ''}` : ''}`;
  },
});

function cleanNumber(accepted: AcceptedNumber): AcceptedNumber {
  if ('min' in accepted) return { min: accepted.min.trim(), max: accepted.max.trim() };
  const value = accepted.value.trim();
  return 'tolerancePercent' in accepted && accepted.tolerancePercent.trim() !== ''
    ? { value, tolerancePercent: accepted.tolerancePercent.trim() }
    : { value };
}

function numberProblems(number: AcceptedNumber): DefinitionProblem[] {
  const problems: DefinitionProblem[] = [];
  const add = (path: string, message: string) => problems.push({ path, message });
  if ('min' in number) {
    const [min, max] = [parseDecimal(number.min), parseDecimal(number.max)];
    if (!min) add('min', MESSAGES.number());
    if (!max) add('max', MESSAGES.number());
    if (min && max && compareDecimals(min, max) > 0) add('min', MESSAGES.range());
    return problems;
  }
  if (!parseDecimal(number.value)) add('value', MESSAGES.number());
  if (!('tolerancePercent' in number)) return problems;
  const tolerance = parseDecimal(number.tolerancePercent);
  if (!tolerance || tolerance.digits < 0n) add('tolerancePercent', MESSAGES.tolerance());
  return problems;
}

function unitProblems(units: NonNullable<NumericKey['units']>): DefinitionProblem[] {
  const problems: DefinitionProblem[] = [];
  const seen = new Set<string>();
  units.forEach(({ unit, factor }, i) => {
    const add = (field: string, message: string) =>
      problems.push({ path: `units.${i}.${field}`, message });
    if (unit === '' || unit.length > 50 || /^[\d\s+.,-]/.test(unit)) add('unit', MESSAGES.unit());
    if (seen.has(unit)) add('unit', MESSAGES.unitTwice());
    seen.add(unit);
    const parsed = parseDecimal(factor);
    if (!parsed || absolute(parsed).digits !== parsed.digits || parsed.digits === 0n) {
      add('factor', MESSAGES.factor());
    }
  });
  return problems;
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

/** One value where a range or a tolerance is nothing else. */
function plainNumber({ weight, ...accepted }: AcceptedNumber) {
  const more = weight === undefined ? {} : { weight };
  if ('min' in accepted) {
    const [min, max] = [plain(accepted.min), plain(accepted.max)];
    return min === max ? { value: min, ...more } : { min, max, ...more };
  }
  const value = plain(accepted.value);
  const tolerance = 'tolerancePercent' in accepted ? plain(accepted.tolerancePercent) : '0';
  return tolerance === '0' ? { value, ...more } : { value, tolerancePercent: tolerance, ...more };
}

function plain(number: string): string {
  const decimal = parseDecimal(number);
  return decimal ? formatDecimal(decimal) : number;
}

function releasedNumber(number: AcceptedNumber): string {
  if ('min' in number) return rangeText(number);
  return 'tolerancePercent' in number
    ? `${number.value} ± ${number.tolerancePercent} %`
    : number.value;
}
