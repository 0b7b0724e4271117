import { z } from 'zod';

/** The deduction for wrong answers: domain/questions/scoring.ts. */
export const NegativeMarks = z.object({
  percent: z
    .number('Enter a percentage')
    .gt(0, 'Enter a percentage above 0')
    .max(100, 'At most 100 percent')
    .refine((n) => Math.abs(n * 100 - Math.round(n * 100)) < 1e-6, 'At most two decimals'),
  floor: z.enum(['question', 'total'], 'Select what cannot fall below zero'),
});
