import { Invitation } from '@invigil/core/contract/invitations';
import type { InvitationListRow } from './list-queries.ts';

export function presentInvitation(row: InvitationListRow): Invitation {
  const { invitation, mail, participant } = row;
  return {
    id: invitation.id,
    userId: invitation.userId,
    quizId: invitation.quizId,
    email: row.email,
    invitedAt: invitation.lastInvitedAt.toISOString(),
    mail:
      mail === null
        ? null
        : {
            state: Invitation.shape.mail.unwrap().shape.state.parse(mail.state),
            lastError: mail.lastError,
            sentAt: mail.sentAt?.toISOString() ?? null,
          },
    signedInAt: invitation.firstSignInAt?.toISOString() ?? null,
    status: Invitation.shape.status.parse(participant?.status ?? 'not_started'),
    participantId: participant?.id ?? null,
    startedAt: participant?.startedAt.toISOString() ?? null,
    submittedAt: participant?.submittedAt?.toISOString() ?? null,
    revokedAt: invitation.revokedAt?.toISOString() ?? null,
    extraTimeFactor: invitation.extraTimeFactor,
    cameraEnabled: invitation.cameraEnabled,
    microphoneEnabled: invitation.microphoneEnabled,
  };
}
