import type { Invitation, InvitationResult } from '@invigil/core/contract/invitations/invitations';
import type { InvitationState } from '@invigil/core/domain/invitation-states';
import type { MailServerState } from '../assessments/api.ts';

export const STATE_WORDS: Record<InvitationState, string> = {
  queued: 'Queued',
  sent: 'Sent',
  uncertain: 'Uncertain',
  failed: 'Failed',
  not_started: 'Not started',
  signed_in: 'Signed in',
  code_ending: 'Password ends soon',
  started: 'Started',
  finished: 'Finished',
  revoked: 'Revoked',
};

/** `1 person`, `1,200 people` */
export const people = (n: number) =>
  `${n.toLocaleString('en-GB')} ${n === 1 ? 'person' : 'people'}`;

/** `1 invitation`, `1,200 invitations` */
export const invitations = (n: number) =>
  `${n.toLocaleString('en-GB')} ${n === 1 ? 'invitation' : 'invitations'}`;

/** The outcome of a send; without a mail server messages stay in the outbox. */
export function queuedSentence(
  results: readonly Pick<InvitationResult, 'status'>[],
  mailServer: MailServerState,
): string {
  const n = results.filter(({ status }) => status === 'queued').length;
  const others = results.length - n;
  const are = n === 1 ? 'is' : 'are';
  const waits = n === 1 ? 'waits' : 'wait';
  const first =
    n === 0
      ? 'No email was queued.'
      : mailServer === 'missing'
        ? `${invitations(n)} ${waits} in the outbox: no mail server is configured.`
        : mailServer === 'off'
          ? `${invitations(n)} ${waits} in the outbox: the mail server is switched off.`
          : `${invitations(n)} ${are} queued for delivery.`;
  if (others === 0) return first;
  return `${first} ${others.toLocaleString('en-GB')} ${others === 1 ? 'person gets' : 'people get'} none.`;
}

export function accommodationWords(
  invitation: Pick<
    Invitation,
    'extraTimeFactor' | 'cameraEnabled' | 'microphoneEnabled' | 'faceCovered'
  >,
): string[] {
  return [
    ...(invitation.extraTimeFactor === 1
      ? []
      : [`+${Math.round((invitation.extraTimeFactor - 1) * 100)} % time`]),
    ...(invitation.cameraEnabled ? [] : ['no camera']),
    ...(invitation.microphoneEnabled ? [] : ['no microphone']),
    ...(invitation.faceCovered ? ['face may be covered'] : []),
  ];
}

/** Parses a factor from 1 to 10, with a decimal point or comma; `null` if invalid. */
export function factorOf(typed: string): number | null {
  const text = typed.trim().replace(',', '.');
  if (!/^\d{1,2}(\.\d{1,2})?$/.test(text)) return null;
  const factor = Number(text);
  return factor >= 1 && factor <= 10 ? factor : null;
}
