import type { AppContext } from '../../app-context.ts';
import type { Tx } from '../../db/database.ts';
import type { QuestionView } from '../../db/queries/questions.ts';
import type { QuizView } from '../../db/queries/quizzes.ts';
import type { InvitationRow } from '../../features/invitations/invite/queries.ts';
import type { Calendar } from '../scenario/calendar.ts';

/** What the simulation works with. */
export interface Simulation {
  /** All its statements run inside `tx`. */
  ctx: AppContext;
  tx: Tx;
  adminId: string;
  calendar: Calendar;
  /** Ids by name. */
  categories: Map<string, string>;
}

/** An assessment with the people invited to it. */
export interface InvitedQuiz {
  quiz: QuizView;
  questions: readonly QuestionView[];
  /** By address. */
  invitations: ReadonlyMap<string, InvitationRow>;
}
