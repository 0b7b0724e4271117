import { typedTextKey } from '../typed-text.ts';
import { formatDecimal, parseDecimal } from './decimal.ts';
import type {
  AcceptedNumber,
  NumericKey,
  QuestionDefinition,
  ShortTextKey,
} from './question-definition.ts';
import { stableJson } from './question-versions.ts';

/**
 * Equal for definitions with the same content and key, whatever the order of their options and accepted
 * answers, and however a number or an accepted text is written: 70.0 and 70.
 */
export function definitionKey({
  options,
  numeric,
  shortText,
  ...rest
}: QuestionDefinition): string {
  return stableJson({
    ...rest,
    options: options.map(stableJson).sort(),
    ...(numeric ? { numeric: numericKey(numeric) } : {}),
    ...(shortText ? { shortText: shortTextKey(shortText) } : {}),
  });
}

function numericKey({ accepted, units = [], ...rest }: NumericKey) {
  return {
    ...rest,
    accepted: distinct(accepted.map(plainNumber)),
    units: units.map(({ unit, factor }) => ({ unit, factor: plain(factor) })),
  };
}

function shortTextKey({ accepted, ...settings }: ShortTextKey) {
  const texts = accepted.map((one) => ({ ...one, text: typedTextKey(one.text, settings) }));
  return { ...settings, accepted: distinct(texts) };
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

function distinct(accepted: readonly object[]): string[] {
  return [...new Set(accepted.map(stableJson))].sort();
}

function plain(number: string): string {
  const decimal = parseDecimal(number);
  return decimal ? formatDecimal(decimal) : number;
}
