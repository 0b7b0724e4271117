import type { Account } from '@invigil/core/contract/auth';
import type { AppContext } from '../../app-context.ts';
import { presentOwnParticipant } from '../participants/present.ts';
import { findCurrentParticipant } from '../participants/queries.ts';
import { presentQuiz } from '../quizzes/present.ts';
import { findQuiz } from '../quizzes/queries.ts';
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
  return {
    user: { id: session.userId, email: session.email },
    quiz: quiz ? presentQuiz(quiz, now) : null,
    role: 'participant',
    attempt: attempt ? presentOwnParticipant(attempt, now) : null,
  };
}
