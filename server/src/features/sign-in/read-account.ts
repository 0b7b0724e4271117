import type { Account } from '@invigil/core/contract/accounts/auth';
import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { remainingMs } from '@invigil/core/domain/attempt';
import { RETENTION_LIMITS } from '@invigil/core/domain/limits';
import type { BaseContext } from '../../app-context.ts';
import { findCurrentParticipant } from '../../db/queries/attempts/attempts.ts';
import { type Accommodations, findAccommodations } from '../../db/queries/codes.ts';
import { findQuiz } from '../../db/queries/quizzes.ts';
import type { ParticipantSession, Session } from '../../db/queries/sessions.ts';
import { presentQuiz } from '../assessments/quizzes/present.ts';
import { forPerson, presentOwnParticipant } from '../attempts/present.ts';
import type { AccountParts } from './signed-in.ts';

/**
 * The reply of /me and of sign-in: the person, the quiz of the code, the current attempt.
 *
 * @param found what has been read already
 */
export async function readAccount(
  ctx: BaseContext,
  session: Session,
  now: Date,
  found?: AccountParts,
): Promise<Account> {
  if (session.kind === 'admin') {
    return {
      user: { id: session.adminId, email: session.email },
      quiz: null,
      role: 'admin',
      attempt: null,
      ...(session.mustSetUpTotp ? { mustSetUpTotp: true } : {}),
    };
  }
  const { quiz, attempt, accommodations } = found ?? (await findParts(ctx, session));
  const { extraTimeFactor } = accommodations;
  return {
    user: { id: session.userId, email: session.email },
    quiz: quiz ? withSwitches(presentQuiz(quiz, now), accommodations) : null,
    role: 'participant',
    attempt: attempt ? presentOwnParticipant(attempt, now) : null,
    ...(quiz ? { evidenceDays: quiz.retentionDays ?? RETENTION_LIMITS.defaultDays } : {}),
    ...(extraTimeFactor === 1 ? {} : { extraTimeFactor }),
    ...(quiz?.endDate && !quiz.finishAfterEnd && attempt?.status !== 'in_progress'
      ? { endsInMs: remainingMs(quiz.endDate, now) }
      : {}),
  };
}

async function findParts(ctx: BaseContext, session: ParticipantSession): Promise<AccountParts> {
  return {
    quiz: await findQuiz(ctx.db, session.quizId),
    attempt: await findCurrentParticipant(ctx.db, session.userId, session.quizId),
    accommodations: await findAccommodations(ctx.db, session.invitationId),
  };
}

/** Instructions and device check follow the assessment as it applies to this person. */
function withSwitches(quiz: Quiz, accommodations: Accommodations): Quiz {
  return { ...quiz, policy: forPerson(quiz.policy, accommodations) };
}
