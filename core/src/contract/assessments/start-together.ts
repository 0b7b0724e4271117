import { z } from 'zod';
import { QUIZ_LIMITS } from '../../domain/limits.ts';
import { t } from '../../texts/i18n.ts';
import { whole } from '../definition/endpoint.ts';

const { lateMinMinutes: min, lateMaxMinutes: max } = QUIZ_LIMITS;

/** All start at the same time: at the opening of each, or when an invigilator says so. */
export const StartTogether = z.object({
  by: z.enum(['time', 'button'], {
    error: () =>
      t(
        /* values of the API, not translated: time, button */ 'field.startTogether',
        'Select time or button',
      ),
  }),
  /** Minutes after the common start in which those who are late can still start. */
  lateMinutes: whole(min, max, () =>
    t(
      /* for those who are late */ 'field.lateMinutes',
      '{max, plural, one {Enter {min} to {max} minute} other {Enter {min} to {max} minutes}}',
      { min, max },
    ),
  ),
});
