/** State of a message. `queued` also after a temporary refusal, until its next try. */
export const MAIL_STATES = ['queued', 'sending', 'sent', 'uncertain', 'failed'] as const;
export type MailState = (typeof MAIL_STATES)[number];

/**
 * Filters of the list of invitations: delivery of the latest message, and progress of the person.
 * `code_ending`: not started, the assessment is open, and the one-time password ends within a week or has
 * ended. `to_review`: the attempt waits for a reviewer. `queued` includes what is being sent, `not_started` includes `signed_in`. Revoked invitations are only
 * in `started`, `finished`, `to_review` and `revoked`.
 */
export const INVITATION_STATES = [
  'queued',
  'sent',
  'uncertain',
  'failed',
  'not_started',
  'signed_in',
  'code_ending',
  'started',
  'finished',
  'to_review',
  'revoked',
] as const;
export type InvitationState = (typeof INVITATION_STATES)[number];

/** States that say how far a person is: each has exactly one. `failed`: the email, before a sign-in. */
export const INVITED_STATES = [
  'failed',
  'not_started',
  'signed_in',
  'started',
  'finished',
  'revoked',
] as const satisfies readonly InvitationState[];

/** The latest first, or by family name, else the one name, else the address. */
export const INVITATION_SORTS = ['invitedAt', 'name'] as const;
