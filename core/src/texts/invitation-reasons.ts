import { t } from './i18n.ts';

/* Why an invitation of a list was not sent. */

interface Kept {
  /** The list gives extra time, which a person with an attempt does not get. */
  keepsTime: boolean;
  /** The list gives other times, which such a person does not get. */
  keepsTimes?: boolean;
}

export const INVITATION_REASONS = {
  in_progress: ({ keepsTime, keepsTimes = false }: Kept) =>
    keepsTimes
      ? t(
          /* a candidate; times: the opening, the end and the duration */ 'invitationReason.inProgressKeepsTimes',
          'Taking the assessment now; nothing was sent. The times were not changed',
        )
      : keepsTime
        ? t(
            /* a candidate */ 'invitationReason.inProgressKeepsTime',
            'Taking the assessment now; nothing was sent. The extra time was not changed',
          )
        : t(
            /* a candidate */ 'invitationReason.inProgress',
            'Taking the assessment now; nothing was sent',
          ),
  already_completed: ({ keepsTime, keepsTimes = false }: Kept) =>
    keepsTimes
      ? t(
          /* a candidate; times: the opening, the end and the duration */ 'invitationReason.completedKeepsTimes',
          'Has already completed the assessment. The times were not changed',
        )
      : keepsTime
        ? t(
            /* a candidate */ 'invitationReason.completedKeepsTime',
            'Has already completed the assessment. The extra time was not changed',
          )
        : t(/* a candidate */ 'invitationReason.completed', 'Has already completed the assessment'),
  result_not_theirs: () =>
    t(
      'invitationReason.resultNotTheirs',
      'Has already completed the assessment. Someone who may see scores can resend the password to the result',
    ),
  revoked: () => t('invitationReason.revoked', 'The invitation was revoked'),
  waiting: () => t('invitationReason.waiting', 'The earlier message is still being sent'),
  erased: () => t('invitationReason.erased', 'This person was erased'),
};
