import { t } from '@invigil/core/texts/i18n';
import { rowText } from '@invigil/core/texts/people-rows';
import { isSkippedTime } from '../../lib/local-input.ts';

/** Why the value of a `datetime-local` field is not read, as `instantOf` does. */
export const timeProblemText = (typed: string): string =>
  isSkippedTime(typed)
    ? rowText({ code: 'skipped_time' })
    : t('assessment.problem.unreadableDate', 'Enter a valid date and time');
