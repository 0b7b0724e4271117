import type { AppContext } from '../../app-context.ts';
import type { Tx } from '../../db/database.ts';
import type { QuestionView } from '../../db/queries/questions.ts';
import type { QuizView } from '../../db/queries/quizzes.ts';
import type { DrawnPaper } from '../../features/assessments/questions/open-draw.ts';
import type { InvitationRow } from '../../features/invitations/invite/queries.ts';
import type { Calendar } from '../scenario/calendar.ts';
import type { DemoQuestion } from '../scenario/demo-question.ts';

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
  /** Every question that a paper may have. */
  questions: readonly QuestionView[];
  /** What people type, by question. */
  typed: ReadonlyMap<string, DemoQuestion['typed']>;
  draw(seed: string): DrawnPaper;
  /** By address. */
  invitations: ReadonlyMap<string, InvitationRow>;
}
