import { z } from 'zod';
import { QUIZ_LIMITS } from '../../domain/limits.ts';
import { COUNTING, type RetakeRule } from '../../domain/retakes.ts';
import { t } from '../../texts/i18n.ts';
import { whole } from '../definition/endpoint.ts';
import { Attempts } from './schedule.ts';

/** How often each person may take an assessment, and which of the attempts counts. */
export const Retakes = z.object({
  attempts: Attempts,
  waitMinutes: whole(0, QUIZ_LIMITS.retakeWaitMaxMinutes, () =>
    t('field.retakeWait', 'Enter a wait of at most a year'),
  ),
  counts: z.enum(COUNTING, {
    error: () => t('field.counting', 'Select which attempt counts'),
  }),
}) satisfies z.ZodType<RetakeRule>;
