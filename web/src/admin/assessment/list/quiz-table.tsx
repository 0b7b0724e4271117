import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import type { QuizFigures } from '@invigil/core/contract/review/stats';
import { currentLanguage } from '@invigil/core/domain/locale';
import { statusOf } from '@invigil/core/domain/quiz-status';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
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
import { shortDuration } from '../../../lib/portal-times.ts';
import { Badge, StatusBadge } from '../../../ui/badges/badge.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { Trans } from '../../../ui/trans.tsx';
import { useMayOnQuiz } from '../../data/assessments.ts';
import { useMay } from '../../data/own-rights.ts';
import { Rows } from '../../list/list.tsx';
import { noEndDateText, otherTimesText } from '../../parts/own-times.tsx';
import { practiceText } from '../practice-card.tsx';

/** How far the candidates are; below 1,040 px of its own width the table omits it. */
const FIGURES = [
  [() => t(/* how many candidates; a column */ 'assessments.head.invited', 'Invited'), 'invited'],
  [() => t(/* how many candidates; a column */ 'assessments.head.started', 'Started'), 'started'],
  [
    () => t(/* how many candidates; a column */ 'assessments.head.finished', 'Finished'),
    'finished',
  ],
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
      label={t(/* the name of a list */ 'portal.assessments', 'Assessments')}
      rows={quizzes}
      asCards={asCards}
      theadClass="[&_th]:sticky [&_th]:top-0 [&_th]:z-10 [&_th]:bg-surface [&_th]:first:rounded-ss-lg [&_th]:last:rounded-se-lg"
      columns={[
        {
          head: t(/* of an assessment; a column */ 'portal.title', 'Title'),
          card: false,
          cell: (quiz) => (
            <>
              <TitleOf quiz={quiz} />
              <CreatedOn quiz={quiz} />
            </>
          ),
        },
        {
          head: t(/* of an assessment; a column */ 'portal.category', 'Category'),
          className: WIDE_ONLY,
          cellClass: 'min-w-22 wrap-anywhere text-ink-2',
          cell: (quiz) => quiz.category,
        },
        {
          head: t(/* how many; a column */ 'portal.questions', 'Questions'),
          end: true,
          cell: (quiz) => <QuestionsOf quiz={quiz} />,
        },
        ...FIGURES.map(([head, figure]) => ({
          head: head(),
          end: true,
          className: FIGURES_ONLY,
          cell: (quiz: Quiz) => countText(figures.get(quiz.id)?.[figure]),
        })),
        {
          head: t(/* a column */ 'portal.duration', 'Duration'),
          end: true,
          cellClass: 'whitespace-nowrap',
          cell: (quiz) => shortDuration(quiz.duration * 60),
        },
        {
          head: t(/* a column */ 'assessments.head.endDate', 'End date'),
          cellClass: 'text-ink-2',
          cell: (quiz) => <QuizEndDate quiz={quiz} />,
        },
        {
          head: t(/* the state of an assessment; a column */ 'portal.status', 'Status'),
          card: false,
          cell: (quiz) => <StatusBadge status={statusOf(quiz, Date.now())} />,
        },
        {
          head: t(/* buttons; a column */ 'portal.actions', 'Actions'),
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
            <CreatedOn quiz={quiz} />
          </div>
          <StatusBadge status={statusOf(quiz, Date.now())} />
        </div>
      )}
      cardFoot={(quiz) => (
        // A touch shows no tooltip: the words stand below the icons.
        <div className="-mx-2 [&>span]:flex-wrap [&_button]:flex [&_button]:h-auto! [&_button]:w-auto! [&_button]:min-w-11 [&_button]:flex-col [&_button]:gap-0.5 [&_button]:py-1.5 min-[24rem]:[&_button]:min-w-14 min-[24rem]:[&_button]:px-2">
          <QuizActions quiz={quiz} onAction={onAction} withWords />
        </div>
      )}
    />
  );
}

const CreatedOn = ({ quiz }: { quiz: Quiz }) => (
  <div className="text-xs text-ink-3">
    {t(/* an assessment */ 'assessments.created', 'Created {date}', {
      date: formatDate(quiz.createdAt),
    })}
  </div>
);

/** The number of questions, and the number that each candidate gets until there are that many. */
function QuestionsOf({ quiz: { questionCount, totalQuestions } }: { quiz: Quiz }) {
  return questionCount < totalQuestions ? (
    <span className="whitespace-nowrap text-warn-ink">
      {t(
        /* how many questions there are of those needed: “20 of 25” */ 'assessments.questionsOf',
        '{count} of {total}',
        {
          count: questionCount,
          total: totalQuestions,
        },
      )}
    </span>
  ) : (
    <span>{questionCount}</span>
  );
}

function TitleOf({ quiz }: { quiz: Quiz }) {
  return (
    <>
      <Link
        to={`/admin/quizzes/${quiz.id}`}
        className="inline-block min-w-30 font-medium wrap-anywhere underline-offset-4 hover:text-accent-ink hover:underline touch:inline-flex touch:min-h-11 touch:items-center"
      >
        {quiz.title}
      </Link>
      {quiz.asPractice !== undefined && (
        <span className="ms-2">
          <Badge tone="accent">{practiceText()}</Badge>
        </span>
      )}
    </>
  );
}

function QuizEndDate({ quiz }: { quiz: Quiz }) {
  const { opensAt, endDate } = quiz;
  return (
    <>
      {endDate === null ? (
        <span>{noEndDateText()}</span>
      ) : (
        <time
          dateTime={endDate}
          className={currentLanguage() === 'en' ? '@min-[45rem]:whitespace-nowrap' : ''}
        >
          {formatDateTime(endDate)}
        </time>
      )}
      {opensAt !== undefined && Date.parse(opensAt) > Date.now() && (
        <span className="block text-xs text-ink-3">
          <Trans
            id="assessments.opens"
            comment="an assessment, in the future"
            message="Opens {time}"
            values={{ time: <time dateTime={opensAt}>{formatDateTime(opensAt)}</time> }}
          />
        </span>
      )}
      {quiz.startBy !== undefined && (
        <span className="block text-xs text-ink-3">
          <Trans
            id="assessments.startBy"
            comment="of an assessment: the latest time to start"
            message="Start by {time}"
            values={{ time: <time dateTime={quiz.startBy}>{formatDateTime(quiz.startBy)}</time> }}
          />
        </span>
      )}
      {quiz.timeRules !== undefined && (
        <span className="block text-xs text-ink-3">{otherTimesText(quiz.timeRules)}</span>
      )}
      {quiz.finishAfterEnd && (
        <span className="block text-xs text-ink-3">
          {t(/* after the end date */ 'assessments.mayFinish', 'Started attempts may finish')}
        </span>
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
  const title = isolated(quiz.title);
  const may = useMayOnQuiz(quiz);
  const mayCopy = useMay()('quizzes.edit', { categoryId: quiz.categoryId });
  const word = (text: string) => withWords && <span className="text-xs">{text}</span>;
  return (
    <span className="inline-flex justify-end gap-0.5">
      {may('questions.edit') && (
        <IconButton
          label={t(
            /* title: of an assessment */ 'assessments.questions.label',
            'Manage questions of {title}',
            { title },
          )}
          tooltip={t('assessments.questions.tooltip', 'Manage questions')}
          onClick={() => onAction('questions', quiz)}
        >
          <ListChecks />
          {word(t(/* a button */ 'portal.questions', 'Questions'))}
        </IconButton>
      )}
      {may('quizzes.edit') && (
        <IconButton
          data-edit=""
          label={t(/* title: of an assessment */ 'assessments.edit.label', 'Edit {title}', {
            title,
          })}
          tooltip={t(/* an assessment; a button (verb) */ 'portal.edit', 'Edit')}
          onClick={() => onAction('edit', quiz)}
        >
          <Pencil />
          {word(t(/* an assessment; a button (verb) */ 'portal.edit', 'Edit'))}
        </IconButton>
      )}
      {may('people.invite') && quiz.asPractice === undefined && (
        <IconButton
          label={t(/* title: of an assessment */ 'assessments.invite.label', 'Invite to {title}', {
            title,
          })}
          tooltip={t(/* candidates; a button (verb) */ 'assessments.invite.word', 'Invite')}
          unavailable={
            quiz.isOpen
              ? undefined
              : t('assessments.invite.unavailable', 'Cannot invite users to inactive quizzes')
          }
          onClick={() => onAction('invite', quiz)}
        >
          <Send />
          {word(t(/* candidates; a button (verb) */ 'assessments.invite.word', 'Invite'))}
        </IconButton>
      )}
      {may('quizzes.edit') && (
        <IconButton
          label={t(/* title: of an assessment */ 'assessments.delete.label', 'Delete {title}', {
            title,
          })}
          tooltip={t(/* an assessment; a button (verb) */ 'portal.delete', 'Delete')}
          onClick={() => onAction('delete', quiz)}
        >
          <Trash2 />
          {word(t(/* an assessment; a button (verb) */ 'portal.delete', 'Delete'))}
        </IconButton>
      )}
      {(may('questions.edit') || may('people.see') || mayCopy) && (
        <Menu
          trigger={
            <IconButton
              label={t(
                /* actions. title: of an assessment */ 'assessments.more.label',
                'More for {title}',
                { title },
              )}
              tooltip={t(/* actions; a button */ 'assessments.more.word', 'More')}
            >
              <Ellipsis />
              {word(t(/* actions; a button */ 'assessments.more.word', 'More'))}
            </IconButton>
          }
        >
          {may('questions.edit') && (
            <>
              <MenuItem
                icon={<Eye />}
                unavailable={
                  quiz.questionCount === 0
                    ? t(/* an assessment */ 'assessments.noQuestions', 'It has no questions yet')
                    : undefined
                }
                onSelect={() => onAction('preview', quiz)}
              >
                {t(/* of an assessment; a button */ 'assessments.preview.button', 'Preview')}
              </MenuItem>
              <MenuItem icon={<ListTree />} onSelect={() => onAction('sections', quiz)}>
                {t(/* a button */ 'assessments.sections', 'Sections and scoring')}
              </MenuItem>
            </>
          )}
          {may('people.see') && quiz.asPractice === undefined && (
            <MenuItem icon={<MailCheck />} onSelect={() => onAction('invitations', quiz)}>
              {t(/* a button */ 'assessments.invitations', 'Invitations')}
            </MenuItem>
          )}
          {mayCopy && (
            <MenuItem icon={<Copy />} onSelect={() => onAction('duplicate', quiz)}>
              {t(/* an assessment; a button (verb) */ 'assessments.duplicate', 'Duplicate')}
            </MenuItem>
          )}
        </Menu>
      )}
    </span>
  );
}
