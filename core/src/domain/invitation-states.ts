/** How a message stands. `queued` also after a temporary refusal, until its next try. */
export const MAIL_STATES = ['queued', 'sending', 'sent', 'uncertain', 'failed'] as const;
export type MailState = (typeof MAIL_STATES)[number];

/**
 * What a list of invitations can be narrowed to: how the latest message stands, and how far the person
 * came. `queued` holds what is being sent, `not_started` holds `signed_in`. Revoked invitations are in
 * `started`, `finished` and `revoked` alone.
 */
export const INVITATION_STATES = [
  'queued',
  'sent',
  'uncertain',
  'failed',
  'not_started',
  'signed_in',
  'started',
  'finished',
  'revoked',
] as const;
export type InvitationState = (typeof INVITATION_STATES)[number];
