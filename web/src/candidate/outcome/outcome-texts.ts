import { numberText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';

/* Texts that several of the last pages say. */

export const assessmentTerminated = () =>
  t(/* heading: its rules ended it */ 'outcome.terminated', 'Assessment Terminated');

export const timeExpired = () =>
  t(/* heading */ 'outcome.timeExpired', 'Time Expired - Assessment Auto-Submitted');

export const endedByAdministrator = () =>
  t('outcome.endedByAdministrator', 'Your assessment was ended by the administrator.');

export const ifThisIsAnError = () =>
  t(
    /* this: that the assessment was ended */ 'outcome.ifError',
    'If you believe this is an error, please contact your administrator.',
  );

export const keepWindowOpen = () => t('outcome.keepOpen', 'Keep this window open.');

export const returnToLogin = () => t(/* a button */ 'outcome.returnToLogin', 'Return to Login');

export const questionsAnswered = () =>
  t(/* label of a count */ 'outcome.questionsAnswered', 'Questions Answered');
export const timeTakenLabel = () => t(/* label of a duration */ 'outcome.timeTaken', 'Time Taken');
export const violations = () => t(/* label of a count */ 'outcome.violations', 'Violations');

const unitText = (n: number, unit: 'minute' | 'second'): string =>
  numberText(n, { style: 'unit', unit, unitDisplay: 'long', useGrouping: false });

/** `m minutes s seconds`, or `0 minutes` (specification 2). Whole seconds in. */
export function timeTaken(seconds: number): string {
  if (seconds <= 0) return unitText(0, 'minute');
  return t(
    /* how long an attempt took: "4 minutes 5 seconds" */ 'outcome.minutesSeconds',
    '{minutes} {seconds}',
    {
      minutes: unitText(Math.floor(seconds / 60), 'minute'),
      seconds: unitText(seconds % 60, 'second'),
    },
  );
}
