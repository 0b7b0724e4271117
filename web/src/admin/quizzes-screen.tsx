import { QuizList } from './assessment/list/quiz-list.tsx';
import { InviteDialog } from './people/invite/invite-dialog.tsx';
import { ManageQuestionsDialog } from './questions/manage/manage-questions-dialog.tsx';

const SLOTS = { InviteDialog, ManageQuestionsDialog };

/** /admin/quizzes: the assessments, with the dialogs of other rooms. */
export const QuizzesScreen = () => <QuizList slots={SLOTS} />;
