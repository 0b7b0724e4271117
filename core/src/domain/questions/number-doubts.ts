import { plainSigns } from '../typed-text.ts';
import { readTypedNumber, signsOf, type TypedNumber } from './typed-numbers.ts';

/** Why a number may be meant otherwise than it is read. */
export type NumberDoubt = 'unit' | 'thousands';

/** 1,000 and the like, which is read with a decimal comma. */
const THOUSANDS = /^[+-]?[1-9]\d{0,2},\d{3}(?![\d.,])/;
/** How a question names the unit of a sign. */
const SIGN_WORDS: Record<string, RegExp> = {
  '%': /per ?cent/i,
  '€': /euro|EUR/i,
  $: /dollar|USD/i,
  '£': /pound|GBP/i,
  '°': /degree/i,
};

/** Finds what is to be checked in a number that was typed as an answer, if anything. */
export function numberToCheck(
  text: string,
  { question, hasUnits = false }: { question: string; hasUnits?: boolean | undefined },
): NumberDoubt | 'no-number' | null {
  const typed = readTypedNumber(text, hasUnits);
  return typeof typed === 'string' ? 'no-number' : doubtInNumber(text, typed, question);
}

/**
 * Whether a number may be meant otherwise than it is read. Which units count is part of the key, which
 * candidates do not have: a unit is judged by what the question says.
 */
export function doubtInNumber(
  text: string,
  { unit }: TypedNumber,
  question: string,
): NumberDoubt | null {
  if (isOtherUnit(unit, question)) return 'unit';
  return THOUSANDS.test(text.trim()) ? 'thousands' : null;
}

/** Whether the question does not name the unit, and asks for one that it cannot be converted to. */
function isOtherUnit(unit: string, question: string): boolean {
  if (unit === '') return false;
  if (!/^(?:\p{L}|°.)/u.test(unit))
    return !question.includes(unit) && SIGN_WORDS[unit]?.test(question) !== true;
  if (question.split(/[\s,.;:?!()[\]$]+/u).includes(unit)) return false;
  const asked = unitsAskedFor(question);
  const dimension = dimensionOf(unit);
  return asked.length > 0 && (dimension === null || !asked.includes(dimension));
}

/** The exponents of m, kg, s, A, K and mol; a unit that counts nothing of these has a name of its own. */
type Dimension = readonly number[] | string;

/** Units by what they measure: symbols that take prefixes, and others. */
const UNITS: readonly [symbols: string, names: string, Dimension][] = [
  ['m', 'met(?:re|er)s?', [1]],
  ['ft in yd mi', 'foot|feet|inch(?:es)?|yards?|miles?', [1]],
  ['l L', 'lit(?:re|er)s?', [3]],
  ['g t', 'gram(?:me)?s?|tons?|tonnes?', [0, 1]],
  ['lb oz', 'ounces?', [0, 1]],
  ['s', 'seconds?', [0, 0, 1]],
  ['min h hr hrs sec', 'minutes?|hours?|days?|weeks?|months?|years?', [0, 0, 1]],
  ['A', 'amperes?|amps?', [0, 0, 0, 1]],
  ['K °C °F', 'kelvins?|(?:degrees )?(?:celsius|fahrenheit)', [0, 0, 0, 0, 1]],
  ['mol', 'moles?', [0, 0, 0, 0, 0, 1]],
  ['N', 'newtons?', [1, 1, -2]],
  ['J eV cal', 'joules?|calories?', [2, 1, -2]],
  ['W', 'watts?', [2, 1, -3]],
  ['Wh', 'watt ?hours?', [2, 1, -2]],
  ['Pa bar', 'pascals?|bars?', [-1, 1, -2]],
  ['V', 'volts?', [2, 1, -3, -1]],
  ['Ω', 'ohms?', [2, 1, -3, -2]],
  ['C', 'coulombs?', [0, 0, 1, 1]],
  ['F', 'farads?', [-2, -1, 4, 2]],
  ['H', 'henrys?|henries', [2, 1, -2, -2]],
  ['T', 'teslas?', [0, 1, -2, -1]],
  ['Hz', 'hertz', [0, 0, -1]],
  ['rad', 'radians?|degrees?', 'angle'],
  ['b B bit', 'bits?|bytes?', 'data'],
  ['EUR USD GBP CHF', 'euros?|dollars?|pounds?|cents?', 'money'],
];
const PREFIX = '(?:da|Ki|Mi|Gi|Ti|[yzafpnµumcdhkMGTPE])?';
const PREFIX_NAME = '(?:pico|nano|micro|milli|centi|deci|hecto|kilo|mega|giga|tera)?';
const PATTERNS = UNITS.map(([symbols, names, dimension]) => ({
  symbol: new RegExp(`^${PREFIX}(?:${symbols.replaceAll(' ', '|')})$`, 'u'),
  anyCase: new RegExp(`^${PREFIX}(?:${symbols.replaceAll(' ', '|')})$`, 'iu'),
  name: new RegExp(`^${PREFIX_NAME}(?:${names})$`, 'iu'),
  dimension,
}));

/** `kg`, `m/s²`, `N m`, `square metres`, `kilometers per hour`: what it measures; null where that is unknown. */
function dimensionOf(text: string): string | null {
  const plain = plainSigns(signsOf(text).normalize('NFKC'))
    .trim()
    .replace(/\b(square|cubic) (\p{L}+)/giu, (_, power: string, unit: string) =>
      power.toLowerCase() === 'square' ? `${unit}2` : `${unit}3`,
    )
    .replace(/ per |\s*\/\s*/gi, '/');
  const whole = baseOf(plain);
  if (whole !== null) return String(whole);
  const sum = [0, 0, 0, 0, 0, 0];
  for (const [index, factors] of plain.split('/').entries()) {
    for (const factor of factors.split(/[\s·⋅*×()]+/).filter((one) => one !== '' && one !== '1')) {
      const [, unit = '', power = '1'] = /^(\D+?)\^?([+-]?\d)?$/u.exec(factor) ?? [];
      const base = baseOf(unit);
      if (base === null || typeof base === 'string') return null;
      const exponent = Number(power) * (index === 0 ? 1 : -1);
      for (const [i, one] of base.entries()) sum[i] = (sum[i] ?? 0) + one * exponent;
    }
  }
  return sum.some((one) => one !== 0) ? String(trimmed(sum)) : null;
}

function baseOf(unit: string): Dimension | null {
  const found =
    PATTERNS.find(({ symbol }) => symbol.test(unit)) ??
    PATTERNS.find(({ name }) => name.test(unit)) ??
    PATTERNS.find(({ anyCase }) => anyCase.test(unit));
  return found?.dimension ?? null;
}

function trimmed(exponents: readonly number[]): readonly number[] {
  const last = exponents.findLastIndex((one) => one !== 0);
  return exponents.slice(0, last + 1).map((one) => one + 0);
}

/** A unit follows `in`, `how many`, a bracket, or a gap to fill. */
const BEFORE_UNIT = /\b(?:in|how many)\s+|_{2,}\s*|[([]\s*(?:in\s+)?/giu;
const AFTER_UNIT = /[,;:?!)\]]|\.(?=\s|$)/u;
/** Letters that stand for much else behind `in`, as in "in C", "in a row". */
const AMBIGUOUS = /^(?:[aAbBcCfFHTL]|in|bar)$/;

/** Finds what the units measure that a question asks for, as in "in metres", "how many kg", "(cm)" or "____ m". */
function unitsAskedFor(question: string): string[] {
  const text = question
    .replace(/\\(?:mathrm|text|mathsf|textrm|unit|rm)\b/g, '')
    .replace(/\\[,;: ]|~/g, ' ')
    .replace(/[$*`{}\\]/g, '');
  const found: string[] = [];
  for (const { 0: match, index } of text.matchAll(BEFORE_UNIT)) {
    const words =
      text
        .slice(index + match.length)
        .split(AFTER_UNIT)[0]
        ?.trim()
        .split(/\s+/) ?? [];
    for (let length = Math.min(4, words.length); length > 0; length -= 1) {
      const unit = words.slice(0, length).join(' ');
      const dimension = /^in\s/i.test(match) && AMBIGUOUS.test(unit) ? null : dimensionOf(unit);
      if (dimension === null) continue;
      found.push(dimension);
      break;
    }
  }
  return found;
}
