import {
  Invitation,
  type InvitationMail,
  type InvitedBefore,
} from '@invigil/core/contract/invitations/invitations';
import { MailState } from '@invigil/core/contract/invitations/outbox';
import { knownOf } from '@invigil/core/domain/people';
import { isCanceledMail, mailProblemText } from '@invigil/core/texts/mail-problems';
import { unknownText } from '../../../formats/sheets/cell-words.ts';
import { presentOtherTimes } from '../../assessments/present-quiz.ts';
import { presentParticipant } from '../../attempts/present.ts';
import type { InvitationListRow } from './list-queries.ts';

export function presentInvitation(row: InvitationListRow, now: Date): Invitation {
  const { invitation, mail, participant } = row;
  return {
    id: invitation.id,
    userId: invitation.userId,
    quizId: invitation.quizId,
    email: row.email,
    ...knownOf(row.person),
    invitedAt: invitation.lastInvitedAt.toISOString(),
    mail: mail === null ? null : presentMail(mail),
    signedInAt: invitation.firstSignInAt?.toISOString() ?? null,
    status: Invitation.shape.status.parse(participant?.status ?? 'not_started'),
    participantId: participant?.id ?? null,
    startedAt: participant?.startedAt.toISOString() ?? null,
    submittedAt: participant?.submittedAt?.toISOString() ?? null,
    ...(participant ? { attempt: presentParticipant(participant, now) } : {}),
    revokedAt: invitation.revokedAt?.toISOString() ?? null,
    codeValidUntil: participant ? null : (row.codeUntil?.toISOString() ?? null),
    extraTimeFactor: invitation.extraTimeFactor,
    cameraEnabled: invitation.cameraEnabled,
    microphoneEnabled: invitation.microphoneEnabled,
    ...(invitation.faceCovered ? { faceCovered: true } : {}),
    ...(invitation.breaks > 0
      ? { breaks: { count: invitation.breaks, minutes: invitation.breakMinutes } }
      : {}),
    ...(invitation.ownTimes ? { ownTimes: invitation.ownTimes } : {}),
    ...presentOtherTimes(invitation),
  };
}

export function presentInvited({ invitation, email, mail, participant }: InvitationListRow) {
  return {
    email: email ?? unknownText(),
    invitedAt: invitation.lastInvitedAt.toISOString(),
    state: participant
      ? participant.status === 'in_progress'
        ? 'started'
        : 'finished'
      : invitation.revokedAt
        ? 'revoked'
        : invitation.firstSignInAt
          ? 'signed_in'
          : mail?.state === 'failed'
            ? 'failed'
            : 'not_started',
  } satisfies InvitedBefore;
}

export function presentMail(mail: NonNullable<InvitationListRow['mail']>): InvitationMail {
  return {
    state: MailState.parse(mail.state),
    lastError: mailProblemText(mail.state, mail.lastError, mail.lastReply),
    ...(isCanceledMail(mail.state, mail.lastError) ? { isCanceled: true } : {}),
    attempts: mail.attempts,
    nextAttemptAt: mail.nextAttemptAt?.toISOString() ?? null,
    sentAt: mail.sentAt?.toISOString() ?? null,
  };
}
