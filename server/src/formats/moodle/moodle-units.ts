import { formatDecimal, parseDecimal } from '@invigil/core/domain/questions/decimal';
import { t } from '@invigil/core/texts/i18n';
import { childOf, childrenOf, textOf, type XmlElement } from '../xml/xml-element.ts';
import {
  notNumberText,
  numberWithTolerance,
  numericKey,
  type TypedNumber,
} from './moodle-answers.ts';

interface MoodleNumericKey {
  /** Why the question is not supported. */
  problem: string | null;
  notes: string[];
  key: ReturnType<typeof numericKey>;
}

/** The key of a numerical question of Moodle XML. */
export function moodleNumericKey(question: XmlElement): MoodleNumericKey {
  const notes: string[] = [];
  const numbers: TypedNumber[] = [];
  let problem: string | null = null;
  for (const answer of childrenOf(question, 'answer')) {
    const value = innerText(answer, 'text');
    const fraction = Number(answer.attributes.fraction ?? 0) || 0;
    // The answer * has the feedback for all others.
    if (value === '*' && fraction <= 0) continue;
    const accepted = numberWithTolerance(value, innerText(answer, 'tolerance'));
    if (accepted) numbers.push({ value: accepted, fraction });
    else problem = notNumberText(value);
  }
  const key = numericKey(numbers);
  const container = childOf(question, 'units');
  const units = (container ? childrenOf(container, 'unit') : []).map((unit) => {
    const multiplier = innerText(unit, 'multiplier');
    const factor = inverse(multiplier);
    if (factor !== null && !factor.isExact)
      notes.push(t('import.moodle.unitFactor', 'A unit’s factor was rounded to 20 digits.'));
    return { unit: innerText(unit, 'unit_name'), factor: factor?.text ?? multiplier };
  });
  // 0: units do not count; 1 and 2: a wrong one costs a share of the marks.
  const isGraded = units.length > 0 && /^[12]$/.test(innerText(question, 'unitgradingtype'));
  if (isGraded && Number(innerText(question, 'unitpenalty')) !== 1) {
    notes.push(
      t(
        'import.moodle.unitPenalty',
        'A wrong unit cost a part of the points; now the answer is wrong.',
      ),
    );
  }
  if (units.length > 0) key.numeric.units = units;
  if (isGraded) key.numeric.isUnitRequired = true;
  return { problem, notes, key };
}

function innerText(element: XmlElement, name: string): string {
  const child = childOf(element, name);
  return child ? textOf(child).trim() : '';
}

/**
 * One divided by a decimal: Moodle's multiplier says how many of a unit are one of the first, ours is
 * the other way round. `null` when it is no number above 0.
 */
export function inverse(text: string): { text: string; isExact: boolean } | null {
  const decimal = parseDecimal(text.replace(',', '.'));
  if (!decimal || decimal.digits <= 0n) return null;
  const places = 20 + decimal.digits.toString().length;
  const numerator = 10n ** BigInt(decimal.scale + places);
  return {
    text: formatDecimal({ digits: numerator / decimal.digits, scale: places }),
    isExact: numerator % decimal.digits === 0n,
  };
}
