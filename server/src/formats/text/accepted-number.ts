import {
  type Decimal,
  formatDecimal,
  parseDecimal,
  subtract,
} from '@invigil/core/domain/questions/decimal';
import type { AcceptedNumber } from '@invigil/core/domain/questions/question-definition';

/** A value with a tolerance on each side as a range; `null`: one of them is no number. */
export function rangeAround(value: string, below: string, above: string): AcceptedNumber | null {
  const [v, b, a] = [parseDecimal(value), parseDecimal(below), parseDecimal(above)];
  if (!v || !b || !a) return null;
  if (b.digits === 0n && a.digits === 0n) return { value };
  return { min: formatDecimal(subtract(v, b)), max: formatDecimal(subtract(v, negative(a))) };
}

export function negative({ digits, scale }: Decimal): Decimal {
  return { digits: -digits, scale };
}
