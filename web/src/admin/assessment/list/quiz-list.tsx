import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { t } from '@invigil/core/texts/i18n';
import { Plus } from 'lucide-react';
import { type ComponentType, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { z } from 'zod';
import { timesInText } from '../../../lib/portal-times.ts';
import { statusText } from '../../../ui/badges/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { SearchBox } from '../../../ui/fields/search-box.tsx';
import { SelectControl } from '../../../ui/fields/select-field.tsx';
import { EmptyState, PageHeader } from '../../../ui/page.tsx';
import {
  useCategoryOptions,
  useDuplicateQuiz,
  useMayCreateQuiz,
  useQuizFigures,
  useQuizzes,
} from '../../data/assessments.ts';
import { Filters } from '../../list/filter-select.tsx';
import { List } from '../../list/list.tsx';
import { useView } from '../../list/use-view.ts';
import { CreateQuizDialog, EditQuizDialog } from '../form/edit-quiz-dialog.tsx';
import { DeleteQuiz } from './delete-quiz.tsx';
import { PreviewQuizDialog } from './preview-quiz-dialog.tsx';
import {
  filterQuizzes,
  NO_QUIZ_FILTER,
  QUIZ_SORTS,
  QUIZZES_VIEW,
  type QuizFilter,
  SORT_NAMES,
} from './quiz-filter.ts';
import { type QuizAction, QuizRows } from './quiz-table.tsx';

const CARDS_BELOW_PX = 720;

/** History state set by "Create New Assessment" of the dashboard. */
const FromDashboard = z.object({ create: z.literal(true) });

/** Actions with a dialog; duplicating is immediate, invitations and sections are pages. */
type DialogAction = Exclude<QuizAction, 'duplicate' | 'invitations' | 'sections'>;

const TAB_OF = { invitations: 'candidates', sections: 'questions' } as const;

interface Opened {
  action: DialogAction;
  quizId: string;
}

/** Dialogs of other parts of the portal, people and questions, that the list opens. */
export interface ListSlots {
  InviteDialog: ComponentType<{ quiz: Quiz; onClose(): void }>;
  ManageQuestionsDialog: ComponentType<{ quiz: Quiz; onClose(): void }>;
}

export function QuizList({ slots }: { slots: ListSlots }) {
  const quizzes = useQuizzes();
  const figures = useQuizFigures();
  const [creating, setCreating] = useState(false);
  /** The assessment that was just created. */
  const [created, setCreated] = useState<string | null>(null);
  const [open, setOpen] = useState<Opened | null>(null);
  const { view: filter, show, narrow } = useView(QUIZZES_VIEW);
  const duplicate = useDuplicateQuiz();
  const navigate = useNavigate();
  const { state, search } = useLocation();
  const mayCreate = useMayCreateQuiz();
  const wantsNew = FromDashboard.safeParse(state).success;
  useEffect(() => {
    if (!wantsNew) return;
    setCreating(mayCreate);
    // Once: a reload shows the list.
    void navigate({ search }, { replace: true, state: null });
  }, [wantsNew, mayCreate, navigate, search]);
  // Once its dialog is closed: before, it would ask about what was typed in it.
  useEffect(() => {
    if (created !== null) void navigate(`/admin/quizzes/${created}/questions`);
  }, [created, navigate]);
  const matching = filterQuizzes(quizzes.data ?? [], filter);
  const read = {
    ...quizzes,
    data: quizzes.data && { rows: matching, total: matching.length },
  };

  const createButton = (
    <Button variant="primary" icon={<Plus />} onClick={() => setCreating(true)}>
      {t(/* a button, and the title of a dialog */ 'assessments.create', 'Create New Assessment')}
    </Button>
  );
  const close = () => setOpen(null);
  const selected = quizzes.data?.find((quiz) => quiz.id === open?.quizId);

  return (
    <>
      <PageHeader
        title={t(/* the title of a page */ 'assessments.title', 'Assessment Management')}
        subtitle={t(
          'assessments.subtitle',
          'Create assessments, add questions and send invitations',
        )}
      >
        {/* An empty list shows the same button in its middle. */}
        {mayCreate && quizzes.data?.length !== 0 && createButton}
      </PageHeader>
      {(quizzes.data?.length ?? 0) > 0 && <QuizTools filter={filter} onNarrow={narrow} />}
      <List
        read={read}
        failure={t('assessments.failed', 'Failed to load Assessments')}
        loading={t('assessments.loading', 'Loading assessments...')}
        none={
          mayCreate ? (
            <EmptyState action={createButton}>
              {t(
                'assessments.none',
                'No Assessment created yet. Create your first Assessment to get started.',
              )}
            </EmptyState>
          ) : (
            <EmptyState>
              {t(
                'assessments.noneToSee',
                'There is no assessment yet that you may see. An owner can give you a role in one.',
              )}
            </EmptyState>
          )
        }
        narrowed={
          quizzes.data?.length !== 0 && {
            sentence: t('assessments.noneMatches', 'No Assessment matches these filters.'),
            onClear: () => show(NO_QUIZ_FILTER),
          }
        }
        cardsBelow={CARDS_BELOW_PX}
      >
        {(rows, asCards) => (
          <QuizRows
            quizzes={rows}
            figures={figures}
            asCards={asCards}
            onAction={(action, quiz) => {
              if (action === 'invitations' || action === 'sections')
                void navigate(`/admin/quizzes/${quiz.id}/${TAB_OF[action]}`);
              else if (action !== 'duplicate') setOpen({ action, quizId: quiz.id });
              else if (!duplicate.isPending) duplicate.mutate(quiz);
            }}
          />
        )}
      </List>
      {(quizzes.data?.length ?? 0) > 0 && (
        <p className="mt-3 text-sm text-ink-3">{timesInText()}</p>
      )}
      {creating && (
        <CreateQuizDialog
          onClose={() => setCreating(false)}
          onCreated={({ id }) => {
            setCreating(false);
            setCreated(id);
          }}
        />
      )}
      {open !== null && selected !== undefined && (
        <OpenDialog {...open} quiz={selected} slots={slots} onClose={close} />
      )}
    </>
  );
}

function OpenDialog({
  action,
  quiz,
  slots: { InviteDialog, ManageQuestionsDialog },
  onClose,
}: Omit<Opened, 'quizId'> & {
  quiz: Quiz;
  slots: ListSlots;
  onClose(): void;
}) {
  switch (action) {
    case 'questions':
      return <ManageQuestionsDialog quiz={quiz} onClose={onClose} />;
    case 'preview':
      return <PreviewQuizDialog quiz={quiz} onClose={onClose} />;
    case 'edit':
      return <EditQuizDialog quiz={quiz} onClose={onClose} />;
    case 'invite':
      return <InviteDialog quiz={quiz} onClose={onClose} />;
    case 'delete':
      return <DeleteQuiz quiz={quiz} onClose={onClose} />;
  }
}

const STATUSES = ['active', 'opens', 'ended', 'inactive'] as const;

function QuizTools({
  filter,
  onNarrow,
}: {
  filter: QuizFilter;
  onNarrow(change: Partial<QuizFilter>, replace?: boolean): void;
}) {
  const categories = useCategoryOptions();
  return (
    <search className="mb-4 flex flex-wrap items-center gap-3">
      <div className="min-w-0 flex-1 sm:max-w-65 sm:basis-48">
        <SearchBox
          label={t('assessments.search.label', 'Search assessments')}
          placeholder={t(
            /* where it is searched */ 'assessments.search.placeholder',
            'Title or description',
          )}
          maxLength={200}
          value={filter.search}
          onSearch={(search) => onNarrow({ search }, true)}
        />
      </div>
      <Filters
        view={filter}
        onNarrow={onNarrow}
        filters={[
          [
            'categoryId',
            t(/* the name of a filter */ 'portal.category', 'Category'),
            t('assessments.filter.anyCategory', 'All categories'),
            categories,
            'sm:min-w-44',
          ],
          [
            'status',
            t(/* the name of a filter: the state of an assessment */ 'portal.status', 'Status'),
            t('portal.anyStatus', 'Any status'),
            STATUSES.map((value) => ({ value, label: statusText(value) })),
            'sm:min-w-36',
          ],
        ]}
      >
        <SelectControl
          aria-label={t(/* of a list (noun) */ 'portal.order', 'Order')}
          className="col-span-2 w-full! sm:w-52!"
          options={QUIZ_SORTS.map((value) => ({ value, label: SORT_NAMES[value]() }))}
          value={filter.sort}
          onChange={(sort) => onNarrow({ sort })}
        />
      </Filters>
    </search>
  );
}
