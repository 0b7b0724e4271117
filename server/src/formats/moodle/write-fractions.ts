import {
  absolute,
  type Decimal,
  formatDecimal,
  multiply,
  parseDecimal,
  subtract,
} from '@invigil/core/domain/questions/decimal';
import type {
  AcceptedNumber,
  QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';

/** The percentage that each option earns, as Moodle counts. */
export function fractionsOf({ type, rule, options }: QuestionDefinition): number[] {
  if (rule === 'weights') return options.map(({ weight = 0 }) => weight);
  const right = options.filter(({ isCorrect }) => isCorrect).length;
  if (type !== 'multiple_response') return options.map(({ isCorrect }) => (isCorrect ? 100 : 0));
  const share = right === 0 ? 0 : Math.floor((100 / right) * 1e5) / 1e5;
  const wrong = rule === 'right_minus_wrong' ? -share : -100;
  return options.map(({ isCorrect }) => (isCorrect ? share : right === 0 ? 0 : wrong));
}

const HALF: Decimal = { digits: 5n, scale: 1 };

/** A number as Moodle has it: its value and how far an answer may be from it. */
export function centerOf(accepted: AcceptedNumber): { value: string; tolerance: string } {
  if ('min' in accepted) {
    const [min, max] = [parseDecimal(accepted.min), parseDecimal(accepted.max)];
    if (!min || !max) return { value: '0', tolerance: '0' };
    const tolerance = multiply(subtract(max, min), HALF);
    return { value: formatDecimal(subtract(max, tolerance)), tolerance: formatDecimal(tolerance) };
  }
  const value = parseDecimal(accepted.value);
  const percent = 'tolerancePercent' in accepted ? parseDecimal(accepted.tolerancePercent) : null;
  if (!value || !percent) return { value: accepted.value, tolerance: '0' };
  const tolerance = multiply(multiply(absolute(value), percent), { digits: 1n, scale: 2 });
  return { value: accepted.value, tolerance: formatDecimal(tolerance) };
}
