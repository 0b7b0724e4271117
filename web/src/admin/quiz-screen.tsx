import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { type PageSlots, QuizPage } from './assessment/quiz-page.tsx';
import { NO_FILTER } from './attempts/list/participants-filter.ts';
import { DownloadReport, ParticipantsList } from './attempts/list/participants-screen.tsx';
import { TeamTab } from './installation/team/team-tab.tsx';
import { CandidatesTab } from './people/invitations/candidates-tab.tsx';
import { InviteCheck } from './people/invite/invite-check.tsx';
import { InviteDialog } from './people/invite/invite-dialog.tsx';
import { QuestionsTab } from './questions/sections/questions-tab.tsx';
import { ResultsTab } from './results/results-tab.tsx';

const SLOTS: PageSlots = {
  QuestionsTab,
  CandidatesTab,
  ResultsTab: ({ quiz }: { quiz: Quiz }) => (
    <ResultsTab
      quiz={quiz}
      attempts={<ParticipantsList of={quiz.id} />}
      report={<DownloadReport filter={{ ...NO_FILTER, quizId: quiz.id }} of={quiz.id} />}
    />
  ),
  TeamTab,
  InviteCheck,
  InviteDialog,
};

/** /admin/quizzes/:id: the page of an assessment, put together from the rooms. */
export const QuizScreen = () => <QuizPage slots={SLOTS} />;
