import type { Question } from '@invigil/core/contract/assessments/question-list';
import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import type { Permission } from '@invigil/core/domain/rights';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { useQueryClient } from '@tanstack/react-query';
import { Copy, Download, Ellipsis, Eye, FileCheck2, Printer, Trash2 } from 'lucide-react';
import { type ComponentType, type ReactNode, useState } from 'react';
import { Link, Navigate, useLocation, useNavigate, useParams } from 'react-router';
import { hasCode } from '../../net/api.ts';
import { Badge, StatusBadge } from '../../ui/badges/badge.tsx';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { EmptyState, PageHeader } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useDuplicateQuiz, useMailServer, useMayOnQuiz, useQuiz } from '../data/assessments.ts';
import { useInvitationCounts } from '../data/invitations.ts';
import { useMay } from '../data/own-rights.ts';
import { questionsQuery } from '../data/questions.ts';
import type { Purpose } from '../data/role-words.ts';
import { showFailure } from '../data/show-failure.ts';
import { LoadFailure } from '../parts/failures.tsx';
import { BackLink } from '../parts/links.tsx';
import { WhoMay } from '../parts/permitted.tsx';
import { QuestionsOnPaper, saveQuestions } from '../parts/questions-on-paper.tsx';
import { type NextStep as NextStepName, nextStepOf, stateOf } from '../parts/quiz-state.ts';
import { TabLinks } from '../parts/tab-links.tsx';
import { QuizSettings } from './form/edit-quiz-dialog.tsx';
import { DeleteQuiz } from './list/delete-quiz.tsx';
import { PreviewQuizDialog } from './list/preview-quiz-dialog.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { PracticeCard, practiceText } from './practice-card.tsx';
import { ScheduleCard } from './schedule-card.tsx';

type ForQuiz = ComponentType<{ quiz: Quiz }>;

/** Parts of an assessment's page that questions, people, results and the team provide. */
export interface PageSlots {
  QuestionsTab: ForQuiz;
  CandidatesTab: ForQuiz;
  ResultsTab: ForQuiz;
  TeamTab: ForQuiz;
  InviteCheck: ForQuiz;
  InviteDialog: ComponentType<{ quiz: Quiz; onClose(): void }>;
}

interface Tab {
  path: string;
  name: () => string;
  /** One of them is enough. */
  permissions: readonly Permission[];
  /** The purpose of the tab. */
  what: Purpose;
  /** About people and attempts, of which a practice assessment has none. */
  isOfPeople?: true;
  content(quiz: Quiz, slots: PageSlots): ReactNode;
}

const TABS: readonly Tab[] = [
  {
    path: '',
    name: () => t(/* a tab */ 'assessment.tab.overview', 'Overview'),
    permissions: ['quizzes.see'],
    what: 'seeAssessments',
    content: (quiz, { InviteCheck }) => (
      <OverviewTab quiz={quiz} check={<InviteCheck quiz={quiz} />} />
    ),
  },
  {
    path: '/questions',
    name: () => t(/* a tab */ 'portal.questions', 'Questions'),
    permissions: ['questions.edit'],
    what: 'editTheQuestions',
    content: (quiz, { QuestionsTab }) => <QuestionsTab quiz={quiz} />,
  },
  {
    path: '/candidates',
    name: () => t(/* a tab */ 'portal.candidates', 'Candidates'),
    permissions: ['people.see'],
    what: 'seeCandidates',
    isOfPeople: true,
    content: (quiz, { CandidatesTab }) => <CandidatesTab quiz={quiz} />,
  },
  {
    path: '/results',
    name: () => t(/* a tab */ 'portal.results', 'Results'),
    permissions: ['figures.see', 'records.see', 'reports.export'],
    what: 'seeResults',
    isOfPeople: true,
    content: (quiz, { ResultsTab }) => <ResultsTab quiz={quiz} />,
  },
  {
    path: '/settings',
    name: () => t(/* a tab */ 'assessment.tab.settings', 'Settings'),
    permissions: ['quizzes.edit'],
    what: 'changeSettings',
    content: (quiz) => (
      <QuizSettings quiz={quiz}>
        {quiz.asPractice === undefined && <ScheduleCard quiz={quiz} />}
        <PracticeCard quiz={quiz} />
      </QuizSettings>
    ),
  },
  {
    path: '/team',
    name: () => t(/* a tab: who may do what */ 'assessment.tab.team', 'Team'),
    permissions: ['team.edit'],
    what: 'editTeam',
    content: (quiz, { TeamTab }) => <TeamTab quiz={quiz} />,
  },
];

/** Tabs of earlier addresses, as in links of mails and notes. */
const FORMER: Partial<Record<string, string>> = {
  invitations: 'candidates',
  sections: 'questions',
};

/** /admin/quizzes/:id and its tabs below it: the page of an assessment. */
export function QuizPage({ slots }: { slots: PageSlots }) {
  const { id = '', tab } = useParams();
  const { search } = useLocation();
  const read = useQuiz(id);
  // Also one that was read before it was deleted.
  const quiz = hasCode(read.error, 'NOT_FOUND') ? undefined : read.data;
  const base = `/admin/quizzes/${id}`;
  const current = TABS.find(({ path }) => path === (tab === undefined ? '' : `/${tab}`));
  if (current === undefined) {
    const former = FORMER[tab ?? ''];
    return <Navigate to={former === undefined ? base : `${base}/${former}${search}`} replace />;
  }
  return (
    <>
      <BackLink to="/admin/quizzes">
        {t(/* the title of a page */ 'assessments.title', 'Assessment Management')}
      </BackLink>
      {quiz !== undefined ? (
        <>
          <QuizHead quiz={quiz} InviteDialog={slots.InviteDialog} />
          <QuizTabs quiz={quiz} current={current} slots={slots} />
        </>
      ) : read.isPending ? (
        <SkeletonRows>{t('assessment.loading', 'Loading the assessment...')}</SkeletonRows>
      ) : hasCode(read.error, 'NOT_FOUND') ? (
        <EmptyState>
          {t('assessment.notFound', 'This assessment does not exist or was deleted.')}
        </EmptyState>
      ) : (
        <LoadFailure title={t('assessment.failed', 'Failed to load the assessment')} read={read} />
      )}
    </>
  );
}

function QuizTabs({ quiz, current, slots }: { quiz: Quiz; current: Tab; slots: PageSlots }) {
  const may = useMayOnQuiz(quiz);
  const base = `/admin/quizzes/${quiz.id}`;
  const isOpen = ({ permissions }: Tab) => permissions.some(may);
  const isThere = ({ isOfPeople }: Tab) => !isOfPeople || quiz.asPractice === undefined;
  return (
    <>
      <TabLinks
        label={quiz.title}
        tabs={TABS.filter((tab) => isOpen(tab) && isThere(tab)).map(({ path, name }) => ({
          to: base + path,
          name: name(),
        }))}
        current={base + current.path}
      />
      <div key={quiz.id}>
        {!isThere(current) ? (
          <EmptyState>
            {t(
              'assessment.practice.noPeople',
              'A practice assessment has no candidates and no results: nothing of it is stored.',
            )}
          </EmptyState>
        ) : isOpen(current) ? (
          current.content(quiz, slots)
        ) : (
          <WhoMay permissions={current.permissions} what={current.what} />
        )}
      </div>
    </>
  );
}

function QuizHead({ quiz, InviteDialog }: { quiz: Quiz } & Pick<PageSlots, 'InviteDialog'>) {
  const { state, sentence } = stateOf(quiz, Date.now());
  return (
    <PageHeader
      title={quiz.title}
      subtitle={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <StatusBadge status={state} />
          {quiz.asPractice !== undefined && <Badge tone="accent">{practiceText()}</Badge>}
          <span>{sentence}</span>
          <span className="text-ink-3">{quiz.category}</span>
        </span>
      }
    >
      <div className="flex flex-wrap items-center gap-2">
        <NextStep quiz={quiz} InviteDialog={InviteDialog} />
        <QuizMenu quiz={quiz} />
      </div>
    </PageHeader>
  );
}

const NEEDED: Record<NextStepName, Permission> = {
  questions: 'questions.edit',
  watch: 'live.watch',
  review: 'records.see',
  report: 'reports.export',
  invite: 'people.invite',
};

/** One button: what the reader most likely does next on this assessment. */
function NextStep({ quiz, InviteDialog }: { quiz: Quiz } & Pick<PageSlots, 'InviteDialog'>) {
  const [inviting, setInviting] = useState(false);
  const may = useMayOnQuiz(quiz);
  const canSend = useMailServer() === 'configured';
  const counts = useInvitationCounts(quiz.id, '', canSend, may('people.see')).data;
  const { state } = stateOf(quiz, Date.now());
  const isPossible = (each: NextStepName) => each === 'questions' || quiz.asPractice === undefined;
  const step = nextStepOf(state, counts, (each) => isPossible(each) && may(NEEDED[each]));
  const link = (to: string, name: string) => (
    <Link to={to} className={buttonClasses('primary', 'admin')}>
      {name}
    </Link>
  );
  switch (step) {
    case 'questions':
      return link(
        `/admin/quizzes/${quiz.id}/questions`,
        t(/* a link */ 'portal.addQuestions', 'Add questions'),
      );
    case 'watch':
      return link(
        `/admin/live?quizId=${quiz.id}`,
        t(/* attempts that are under way; a link */ 'assessment.next.watch', 'Watch live'),
      );
    case 'review':
      return link(
        `/admin/participants?quizId=${quiz.id}&review=open`,
        t(
          /* attempts, so many; a button (verb) */ 'assessment.next.review',
          '{count, plural, one {Review #} other {Review #}}',
          {
            count: counts?.to_review ?? 0,
          },
        ),
      );
    case 'report':
      return link(
        `/admin/quizzes/${quiz.id}/results`,
        t(/* a link */ 'assessment.next.report', 'Download report'),
      );
    case 'invite':
      return (
        <>
          <Button variant="primary" onClick={() => setInviting(true)}>
            {t(/* candidates; a button (verbs) */ 'assessment.next.invite', 'Check and invite')}
          </Button>
          {inviting && <InviteDialog quiz={quiz} onClose={() => setInviting(false)} />}
        </>
      );
    case null:
      return null;
  }
}

interface Paper {
  questions: readonly Question[];
  withKey: boolean;
}

function QuizMenu({ quiz }: { quiz: Quiz }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const duplicate = useDuplicateQuiz();
  const may = useMayOnQuiz(quiz);
  const mayCopy = useMay()('quizzes.edit', { categoryId: quiz.categoryId });
  const [open, setOpen] = useState<'preview' | 'delete' | Paper | null>(null);
  const close = () => setOpen(null);
  const withQuestions = async (use: (questions: readonly Question[]) => void) => {
    try {
      use(await client.fetchQuery(questionsQuery(quiz.id)));
    } catch (error) {
      showFailure(t('portal.questionsFailed', 'Failed to load questions'), error);
    }
  };
  const print = (withKey: boolean) =>
    void withQuestions((questions) => setOpen({ questions, withKey }));
  const none =
    quiz.questionCount === 0
      ? t(/* an assessment */ 'assessments.noQuestions', 'It has no questions yet')
      : undefined;
  if (!may('questions.edit') && !may('quizzes.edit')) return null;
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={t(
              /* actions. title: of an assessment */ 'assessments.more.label',
              'More for {title}',
              {
                title: isolated(quiz.title),
              },
            )}
            tooltip={t(/* actions; a button */ 'assessments.more.word', 'More')}
          >
            <Ellipsis />
          </IconButton>
        }
      >
        {may('questions.edit') && (
          <MenuItem icon={<Eye />} unavailable={none} onSelect={() => setOpen('preview')}>
            {t(/* of an assessment; a button */ 'assessments.preview.button', 'Preview')}
          </MenuItem>
        )}
        {mayCopy && (
          <MenuItem
            icon={<Copy />}
            onSelect={() =>
              duplicate.mutate(quiz, {
                onSuccess: ({ id }) => void navigate(`/admin/quizzes/${id}/settings`),
              })
            }
          >
            {t(/* an assessment; a button (verb) */ 'assessments.duplicate', 'Duplicate')}
          </MenuItem>
        )}
        {may('questions.edit') && (
          <>
            <MenuItem icon={<Printer />} unavailable={none} onSelect={() => print(false)}>
              {t('assessment.menu.print', 'Print questions')}
            </MenuItem>
            <MenuItem icon={<FileCheck2 />} unavailable={none} onSelect={() => print(true)}>
              {t(/* the questions */ 'assessment.menu.printKey', 'Print with answer key')}
            </MenuItem>
            <MenuItem
              icon={<Download />}
              unavailable={none}
              onSelect={() => void withQuestions((list) => saveQuestions(quiz.title, list))}
            >
              {t('assessment.menu.export', 'Export questions')}
            </MenuItem>
          </>
        )}
        {may('quizzes.edit') && (
          <MenuItem icon={<Trash2 />} onSelect={() => setOpen('delete')}>
            {t(/* an assessment; a button (verb) */ 'portal.delete', 'Delete')}
          </MenuItem>
        )}
      </Menu>
      {open === 'preview' && <PreviewQuizDialog quiz={quiz} onClose={close} />}
      {open === 'delete' && (
        <DeleteQuiz
          quiz={quiz}
          onClose={close}
          onDeleted={() => void navigate('/admin/quizzes', { replace: true })}
        />
      )}
      {open !== null && typeof open === 'object' && (
        <QuestionsOnPaper title={quiz.title} {...open} onPrinted={close} />
      )}
    </>
  );
}
