import type { z } from 'zod';
import { atMostCharactersText } from '../../domain/limits.ts';
import { numberText } from '../../domain/locale.ts';
import { t } from '../../texts/i18n.ts';
import { atMost, atMostAtATime } from './field-problems.ts';

/** The problem of a value whose schema has no sentence for it, in place of Zod's English. */
export function valueProblemText(problem: z.core.$ZodRawIssue): string {
  if (problem.code === 'too_big') {
    const max = Number(problem.maximum);
    if (problem.origin === 'string') return atMostCharactersText(max);
    return problem.origin === 'array' ? atMostAtATime(max).error() : atMost(max).error();
  }
  if (problem.code === 'too_small') {
    const min = Number(problem.minimum);
    if (problem.origin === 'string' && min === 1) return t('field.empty', 'Enter something');
    return t(/* a number */ 'field.min', 'At least {min}', { min: numberText(min) });
  }
  return t(/* what was typed or selected */ 'field.invalid', 'This value is not valid');
}
