/* Why an invitation of a list was not sent. */

interface Kept {
  /** The list gives extra time, which a person with an attempt does not get. */
  keepsTime: boolean;
}

export const INVITATION_REASONS = {
  in_progress: ({ keepsTime }: Kept) =>
    keepsTime
      ? 'Taking the assessment now; nothing was sent. The extra time was not changed'
      : 'Taking the assessment now; nothing was sent',
  already_completed: ({ keepsTime }: Kept) =>
    keepsTime
      ? 'Has already completed the assessment. The extra time was not changed'
      : 'Has already completed the assessment',
  result_not_theirs:
    'Has already completed the assessment. Someone who may see scores can resend the password to the result',
  revoked: 'The invitation was revoked',
  waiting: 'The earlier message is still being sent',
  erased: 'This person was erased',
};
