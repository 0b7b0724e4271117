import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import type { QuizFigures } from '@invigil/core/contract/review/stats';
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
import { formatDate, formatDateTime } from '../../../lib/format.ts';
import { StatusBadge } from '../../../ui/badges/badge.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import {
  Cell,
  HeadCell,
  LabelledValue,
  LabelledValues,
  Row,
  Table,
} from '../../../ui/tables/table.tsx';
import { useMayOnQuiz } from '../../data/assessments.ts';
import { useMay } from '../../data/own-rights.ts';
import { statusOf } from '../../parts/quiz-state.ts';

/** How far the candidates are; below 1,040 px of its own width the table omits it. */
const FIGURES = [
  ['Invited', 'invited'],
  ['Started', 'started'],
  ['Finished', 'finished'],
] as const;
const FIGURES_ONLY = '@max-[65rem]:hidden';
/** Below 900 px of its own width the table omits the category. */
const WIDE_ONLY = '@max-[56.25rem]:hidden';

export function QuizTable({ quizzes, figures, onAction }: QuizListProps) {
  return (
    <Table label="Assessments">
      <thead className="[&_th]:sticky [&_th]:top-0 [&_th]:z-10 [&_th]:bg-surface [&_th]:first:rounded-tl-lg [&_th]:last:rounded-tr-lg">
        <tr>
          <HeadCell>Title</HeadCell>
          <HeadCell className={WIDE_ONLY}>Category</HeadCell>
          <HeadCell end>Questions</HeadCell>
          {FIGURES.map(([name]) => (
            <HeadCell key={name} end className={FIGURES_ONLY}>
              {name}
            </HeadCell>
          ))}
          <HeadCell end>Duration</HeadCell>
          <HeadCell>End date</HeadCell>
          <HeadCell>Status</HeadCell>
          <HeadCell end>Actions</HeadCell>
        </tr>
      </thead>
      <tbody>
        {quizzes.map((quiz) => (
          <Row key={quiz.id}>
            <Cell>
              <TitleOf quiz={quiz} />
              <div className="text-xs text-ink-3">Created {formatDate(quiz.createdAt)}</div>
            </Cell>
            <Cell className={`text-ink-2 ${WIDE_ONLY}`}>{quiz.category}</Cell>
            <Cell end>
              <QuestionsOf quiz={quiz} />
            </Cell>
            {FIGURES.map(([name, figure]) => (
              <Cell key={name} end className={FIGURES_ONLY}>
                {figures.get(quiz.id)?.[figure].toLocaleString('en-GB') ?? '–'}
              </Cell>
            ))}
            <Cell end className="whitespace-nowrap">
              {quiz.duration} min
            </Cell>
            <Cell className="text-ink-2">
              <QuizEndDate quiz={quiz} />
            </Cell>
            <Cell>
              <StatusBadge status={statusOf(quiz)} />
            </Cell>
            <Cell end className="whitespace-nowrap">
              <QuizActions quiz={quiz} onAction={onAction} />
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

export function QuizCards({ quizzes, figures, onAction }: QuizListProps) {
  return (
    <ul aria-label="Assessments">
      {quizzes.map((quiz) => (
        <li key={quiz.id} className="grid gap-2.5 border-b border-line px-4 py-3.5 last:border-b-0">
          <div className="flex items-start justify-between gap-3">
            <div className="min-w-0">
              <TitleOf quiz={quiz} />
              <div className="text-xs text-ink-3">Created {formatDate(quiz.createdAt)}</div>
            </div>
            <StatusBadge status={statusOf(quiz)} />
          </div>
          <LabelledValues>
            <LabelledValue label="Category">{quiz.category}</LabelledValue>
            <LabelledValue label="Questions">
              <QuestionsOf quiz={quiz} />
            </LabelledValue>
            {FIGURES.map(([name, figure]) => (
              <LabelledValue key={name} label={name}>
                {figures.get(quiz.id)?.[figure].toLocaleString('en-GB') ?? '–'}
              </LabelledValue>
            ))}
            <LabelledValue label="Duration">{quiz.duration} min</LabelledValue>
            <LabelledValue label="End date">
              <QuizEndDate quiz={quiz} />
            </LabelledValue>
          </LabelledValues>
          {/* A touch shows no tooltip: the words stand below the icons. */}
          <div className="-mx-2 [&_button]:flex [&_button]:h-auto! [&_button]:w-auto! [&_button]:min-w-11 [&_button]:flex-col [&_button]:gap-0.5 [&_button]:py-1.5 min-[24rem]:[&_button]:min-w-14 min-[24rem]:[&_button]:px-2">
            <QuizActions quiz={quiz} onAction={onAction} withWords />
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Until it has as many as each candidate gets, both numbers. */
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
      className="font-medium break-words underline-offset-4 hover:text-accent-ink hover:underline touch:inline-flex touch:min-h-11 touch:items-center"
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
  /** By assessment; empty until they are loaded. */
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
          label={`Manage questions of ${title}`}
          tooltip="Manage questions"
          onClick={() => onAction('questions', quiz)}
        >
          <ListChecks />
          {word('Questions')}
        </IconButton>
      )}
      {may('quizzes.edit') && (
        <IconButton label={`Edit ${title}`} tooltip="Edit" onClick={() => onAction('edit', quiz)}>
          <Pencil />
          {word('Edit')}
        </IconButton>
      )}
      {may('people.invite') && (
        <IconButton
          label={`Invite to ${title}`}
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
          label={`Delete ${title}`}
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
            <IconButton label={`More for ${title}`} tooltip="More">
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
