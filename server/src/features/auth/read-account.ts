import type { Account } from '@invigil/core/contract/auth';
import type { Quiz } from '@invigil/core/contract/quizzes';
import type { AppContext } from '../../app-context.ts';
import { forPerson, presentOwnParticipant } from '../participants/present.ts';
import { findCurrentParticipant } from '../participants/queries.ts';
import { presentQuiz } from '../quizzes/present.ts';
import { findQuiz } from '../quizzes/queries.ts';
import { findSensorSwitches } from './queries.ts';
import type { Session } from './session-queries.ts';

/** What /me and the sign-in answer: the person, the quiz that the code opens, the attempt so far. */
export async function readAccount(ctx: AppContext, session: Session, now: Date): Promise<Account> {
  if (session.kind === 'admin') {
    return {
      user: { id: session.adminId, email: session.email },
      quiz: null,
      role: 'admin',
      attempt: null,
    };
  }
  const quiz = await findQuiz(ctx.db, session.quizId);
  const attempt = await findCurrentParticipant(ctx.db, session.userId, session.quizId);
  const enabled = await findSensorSwitches(ctx.db, session.invitationId);
  return {
    user: { id: session.userId, email: session.email },
    quiz: quiz ? withSwitches(presentQuiz(quiz, now), enabled) : null,
    role: 'participant',
    attempt: attempt ? presentOwnParticipant(attempt, now) : null,
  };
}

/** The instructions and the device check go by the assessment as it holds for this person. */
function withSwitches(quiz: Quiz, enabled: { camera: boolean; microphone: boolean }): Quiz {
  return { ...quiz, policy: forPerson(quiz.policy, enabled) };
}
