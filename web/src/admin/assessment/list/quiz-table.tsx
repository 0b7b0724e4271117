import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import type { QuizFigures } from '@invigil/core/contract/review/stats';
import { statusOf } from '@invigil/core/domain/quiz-status';
import { isolated } from '@invigil/core/domain/typed-text';
import {
  Copy,
  Ellipsis,
  Eye,
  ListChecks,
  ListTree,
  MailCheck,
  Pencil,
  Send,
  Trash2,
} from 'lucide-react';
import { Link } from 'react-router';
import { countText, formatDate, formatDateTime } from '../../../lib/format.ts';
import { StatusBadge } from '../../../ui/badges/badge.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { useMayOnQuiz } from '../../data/assessments.ts';
import { useMay } from '../../data/own-rights.ts';
import { Rows } from '../../list/list.tsx';

/** How far the candidates are; below 1,040 px of its own width the table omits it. */
const FIGURES = [
  ['Invited', 'invited'],
  ['Started', 'started'],
  ['Finished', 'finished'],
] as const;
const FIGURES_ONLY = '@max-[65rem]:hidden';
/** Below 900 px of its own width the table omits the category. */
const WIDE_ONLY = '@max-[56.25rem]:hidden';

/** The assessments, as a table or as cards. */
export function QuizRows({
  quizzes,
  figures,
  asCards,
  onAction,
}: QuizListProps & { asCards: boolean }) {
  return (
    <Rows
      label="Assessments"
      rows={quizzes}
      asCards={asCards}
      theadClass="[&_th]:sticky [&_th]:top-0 [&_th]:z-10 [&_th]:bg-surface [&_th]:first:rounded-ss-lg [&_th]:last:rounded-se-lg"
      columns={[
        {
          head: 'Title',
          card: false,
          cell: (quiz) => (
            <>
              <TitleOf quiz={quiz} />
              <div className="text-xs text-ink-3">Created {formatDate(quiz.createdAt)}</div>
            </>
          ),
        },
        {
          head: 'Category',
          className: WIDE_ONLY,
          cellClass: 'min-w-22 wrap-anywhere text-ink-2',
          cell: (quiz) => quiz.category,
        },
        { head: 'Questions', end: true, cell: (quiz) => <QuestionsOf quiz={quiz} /> },
        ...FIGURES.map(([head, figure]) => ({
          head,
          end: true,
          className: FIGURES_ONLY,
          cell: (quiz: Quiz) => countText(figures.get(quiz.id)?.[figure]),
        })),
        {
          head: 'Duration',
          end: true,
          cellClass: 'whitespace-nowrap',
          cell: (quiz) => `${quiz.duration} min`,
        },
        {
          head: 'End date',
          cellClass: 'text-ink-2',
          cell: (quiz) => <QuizEndDate quiz={quiz} />,
        },
        {
          head: 'Status',
          card: false,
          cell: (quiz) => <StatusBadge status={statusOf(quiz, Date.now())} />,
        },
        {
          head: 'Actions',
          end: true,
          cellClass: 'whitespace-nowrap',
          card: false,
          cell: (quiz) => <QuizActions quiz={quiz} onAction={onAction} />,
        },
      ]}
      cardHead={(quiz) => (
        <div className="flex items-start justify-between gap-3">
          <div className="min-w-0">
            <TitleOf quiz={quiz} />
            <div className="text-xs text-ink-3">Created {formatDate(quiz.createdAt)}</div>
          </div>
          <StatusBadge status={statusOf(quiz, Date.now())} />
        </div>
      )}
      cardFoot={(quiz) => (
        // A touch shows no tooltip: the words stand below the icons.
        <div className="-mx-2 [&_button]:flex [&_button]:h-auto! [&_button]:w-auto! [&_button]:min-w-11 [&_button]:flex-col [&_button]:gap-0.5 [&_button]:py-1.5 min-[24rem]:[&_button]:min-w-14 min-[24rem]:[&_button]:px-2">
          <QuizActions quiz={quiz} onAction={onAction} withWords />
        </div>
      )}
    />
  );
}

/** The number of questions, and the number that each candidate gets until there are that many. */
function QuestionsOf({ quiz: { questionCount, totalQuestions } }: { quiz: Quiz }) {
  return questionCount < totalQuestions ? (
    <span className="whitespace-nowrap text-warn-ink">{`${questionCount} of ${totalQuestions}`}</span>
  ) : (
    <span>{questionCount}</span>
  );
}

function TitleOf({ quiz }: { quiz: Quiz }) {
  return (
    <Link
      to={`/admin/quizzes/${quiz.id}`}
      className="inline-block min-w-30 font-medium wrap-anywhere underline-offset-4 hover:text-accent-ink hover:underline touch:inline-flex touch:min-h-11 touch:items-center"
    >
      {quiz.title}
    </Link>
  );
}

function QuizEndDate({ quiz }: { quiz: Quiz }) {
  const { opensAt, endDate } = quiz;
  return (
    <>
      {endDate === null ? (
        <span>N/A</span>
      ) : (
        <time dateTime={endDate} className="@min-[45rem]:whitespace-nowrap">
          {formatDateTime(endDate)}
        </time>
      )}
      {opensAt !== undefined && Date.parse(opensAt) > Date.now() && (
        <span className="block text-xs text-ink-3">
          Opens <time dateTime={opensAt}>{formatDateTime(opensAt)}</time>
        </span>
      )}
      {quiz.finishAfterEnd && (
        <span className="block text-xs text-ink-3">Started attempts may finish</span>
      )}
    </>
  );
}

export type QuizAction =
  | 'questions'
  | 'preview'
  | 'edit'
  | 'duplicate'
  | 'invite'
  | 'invitations'
  | 'sections'
  | 'delete';

interface QuizListProps {
  quizzes: readonly Quiz[];
  /** Figures by assessment; empty until they are loaded. */
  figures: ReadonlyMap<string, QuizFigures>;
  onAction(action: QuizAction, quiz: Quiz): void;
}

/**
 * Actions of an assessment: the specification's four as buttons, the others in a menu. While the assessment is
 * not open, inviting is disabled with a reason.
 */
function QuizActions({
  quiz,
  onAction,
  withWords = false,
}: {
  quiz: Quiz;
  onAction: QuizListProps['onAction'];
  withWords?: boolean;
}) {
  const { title } = quiz;
  const may = useMayOnQuiz(quiz);
  const mayCopy = useMay()('quizzes.edit', { categoryId: quiz.categoryId });
  const word = (text: string) => withWords && <span className="text-xs">{text}</span>;
  return (
    <span className="inline-flex justify-end gap-0.5">
      {may('questions.edit') && (
        <IconButton
          label={`Manage questions of ${isolated(title)}`}
          tooltip="Manage questions"
          onClick={() => onAction('questions', quiz)}
        >
          <ListChecks />
          {word('Questions')}
        </IconButton>
      )}
      {may('quizzes.edit') && (
        <IconButton
          data-edit=""
          label={`Edit ${isolated(title)}`}
          tooltip="Edit"
          onClick={() => onAction('edit', quiz)}
        >
          <Pencil />
          {word('Edit')}
        </IconButton>
      )}
      {may('people.invite') && (
        <IconButton
          label={`Invite to ${isolated(title)}`}
          tooltip="Invite"
          unavailable={quiz.isOpen ? undefined : 'Cannot invite users to inactive quizzes'}
          onClick={() => onAction('invite', quiz)}
        >
          <Send />
          {word('Invite')}
        </IconButton>
      )}
      {may('quizzes.edit') && (
        <IconButton
          label={`Delete ${isolated(title)}`}
          tooltip="Delete"
          onClick={() => onAction('delete', quiz)}
        >
          <Trash2 />
          {word('Delete')}
        </IconButton>
      )}
      {(may('questions.edit') || may('people.see') || mayCopy) && (
        <Menu
          trigger={
            <IconButton label={`More for ${isolated(title)}`} tooltip="More">
              <Ellipsis />
              {word('More')}
            </IconButton>
          }
        >
          {may('questions.edit') && (
            <>
              <MenuItem
                icon={<Eye />}
                unavailable={quiz.questionCount === 0 ? 'It has no questions yet' : undefined}
                onSelect={() => onAction('preview', quiz)}
              >
                Preview
              </MenuItem>
              <MenuItem icon={<ListTree />} onSelect={() => onAction('sections', quiz)}>
                Sections and scoring
              </MenuItem>
            </>
          )}
          {may('people.see') && (
            <MenuItem icon={<MailCheck />} onSelect={() => onAction('invitations', quiz)}>
              Invitations
            </MenuItem>
          )}
          {mayCopy && (
            <MenuItem icon={<Copy />} onSelect={() => onAction('duplicate', quiz)}>
              Duplicate
            </MenuItem>
          )}
        </Menu>
      )}
    </span>
  );
}
