import { z } from 'zod';
import { t } from '../../texts/i18n.ts';
import { AT_MOST_TWO_DECIMALS, ENTER_PERCENTAGE } from '../definition/field-problems.ts';

/** The deduction for wrong answers: domain/questions/scoring.ts. */
export const NegativeMarks = z.object({
  percent: z
    .number(ENTER_PERCENTAGE)
    .gt(0, { error: () => t('field.percentageAbove0', 'Enter a percentage above 0') })
    .max(100, { error: () => t('field.percentMax', 'At most {max} percent', { max: 100 }) })
    .refine((n) => Math.abs(n * 100 - Math.round(n * 100)) < 1e-6, AT_MOST_TWO_DECIMALS),
  floor: z.enum(['question', 'total'], {
    error: () =>
      t(
        /* the points of a question, or the total */ 'field.floor',
        'Select what cannot fall below zero',
      ),
  }),
});
