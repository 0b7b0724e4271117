import type { EndedAttempt } from '@invigil/core/contract/attempts/ended-attempt';
import { minutesText } from '@invigil/core/texts/amounts';
import { t } from '@invigil/core/texts/i18n';
import { formatDateTime } from '../../lib/format.ts';
import { zoneText } from '../../lib/moment-text.ts';

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

/** `m minutes s seconds`, also of one, or `0 minutes` (specification 2). Whole seconds in. */
export const timeTaken = (seconds: number): string =>
  seconds <= 0
    ? minutesText(0)
    : t(
        /* a duration: “37 minutes 30 seconds” */ 'outcome.minutesAndSeconds',
        '{minutes, plural, other {# minutes}} {seconds, plural, other {# seconds}}',
        { minutes: Math.floor(seconds / 60), seconds: seconds % 60 },
      );

/** Says how many attempts are left, and from when. */
export function retakesLeftText(
  { left, from }: NonNullable<EndedAttempt['retakes']>,
  timeZone: string | undefined,
): string {
  if (left === 0) return t('outcome.noRetake', 'You have no attempt left.');
  if (from === undefined) {
    return t(
      'outcome.retakes',
      '{left, plural, one {You can take this assessment once more. Sign in again with the same one-time password.} other {You can take this assessment # more times. Sign in again with the same one-time password.}}',
      { left },
    );
  }
  return t(
    /* moment: a date and time with its time zone */ 'outcome.retakesFrom',
    '{left, plural, one {You can take this assessment once more, from {moment}. Sign in again with the same one-time password.} other {You can take this assessment # more times, from {moment}. Sign in again with the same one-time password.}}',
    { left, moment: formatDateTime(from) + zoneText(from, timeZone) },
  );
}
