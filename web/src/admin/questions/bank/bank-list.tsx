import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import { numberText } from '@invigil/core/domain/locale';
import { TYPES } from '@invigil/core/domain/questions/types/question-types';
import { t } from '@invigil/core/texts/i18n';
import { Archive, ArchiveRestore, FolderInput, Plus, Tags, Trash2 } from 'lucide-react';
import { Link } from 'react-router';
import { pointsText } from '../../../lib/format.ts';
import { questionsText } from '../../../lib/question-labels.ts';
import { Button, buttonClasses } from '../../../ui/button.tsx';
import { Card, EmptyState } from '../../../ui/page.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { useContainerWidth } from '../../../ui/tables/table.tsx';
import {
  BANK_PAGE_ROWS,
  BANK_VIEW,
  BULK_MAX,
  DIFFICULTY_NAMES,
  isNarrowed,
  matchOf,
  NO_BANK_FILTER,
  useBank,
  useDuplicates,
} from '../../data/bank.ts';
import { type Column, List, Rows } from '../../list/list.tsx';
import { SelectionBar } from '../../list/selection-bar.tsx';
import { useView } from '../../list/use-view.ts';
import { LoadFailure } from '../../parts/failures.tsx';
import { type BankListProps, BankTitle, OwnerOf } from './bank-cells.tsx';

const CARDS_BELOW_PX = 820;

/** A page of the questions that a filter selects. */
export function BankPageList(selection: BankSelectionProps) {
  const { view: filter, show, pages } = useView(BANK_VIEW);
  const bank = useBank(matchOf(filter), filter.page);
  return (
    <List
      read={bank}
      failure={t('portal.questionsFailed', 'Failed to load questions')}
      loading={t('portal.loadingQuestions', 'Loading questions...')}
      none={
        <EmptyState
          action={
            <Link to="/admin/questions/new" className={buttonClasses('primary', 'admin')}>
              <Plus />
              {t('bank.newQuestion', 'New question')}
            </Link>
          }
        >
          {t('bank.empty', 'No questions yet. Write the first one, or import a file.')}
        </EmptyState>
      }
      narrowed={
        isNarrowed(filter) && {
          sentence: t('bank.noMatch', 'No question matches these filters.'),
          onClear: () => show(NO_BANK_FILTER),
        }
      }
      pages={{ ...pages, perPage: BANK_PAGE_ROWS, total: questionsText }}
      cardsBelow={CARDS_BELOW_PX}
      above={
        <BankSelection
          {...selection}
          pageIds={(bank.data?.rows ?? []).map(({ id }) => id)}
          total={bank.data?.total ?? 0}
          isArchived={filter.state === 'archived'}
        />
      }
    >
      {(rows, asCards) => <BankRows {...selection} rows={rows} asCards={asCards} />}
    </List>
  );
}

const columnsOf = (): readonly Column<BankQuestion>[] => [
  {
    head: t(/* a column: the type of a question */ 'portal.type', 'Type'),
    cellClass: 'whitespace-nowrap text-ink-2',
    cell: ({ definition }) => TYPES[definition.type].name(),
  },
  {
    head: t('portal.difficulty', 'Difficulty'),
    cellClass: 'text-ink-2',
    cell: ({ difficulty }) => (difficulty === null ? '–' : DIFFICULTY_NAMES[difficulty]()),
  },
  {
    head: t(/* a column: the points of a question */ 'portal.points', 'Points'),
    end: true,
    cell: ({ definition }) => definition.points,
  },
  {
    head: t(
      /* a column: the assessment that has the question */ 'bank.column.belongsTo',
      'Belongs to',
    ),
    cellClass: 'wrap-anywhere text-ink-2',
    cell: (question) => <OwnerOf question={question} />,
  },
  {
    head: t(
      /* a column: how often candidates have seen the question */ 'bank.column.timesSeen',
      'Times seen',
    ),
    end: true,
    cell: ({ timesSeen }) => numberText(timesSeen),
  },
];

function BankRows({ rows, asCards, selected, onSelect }: BankListProps & { asCards: boolean }) {
  const title = (question: BankQuestion) => (
    <BankTitle question={question} selected={selected} onSelect={onSelect} />
  );
  return (
    <Rows
      label={t(/* title of a screen and of its list */ 'portal.questions', 'Questions')}
      rows={rows}
      asCards={asCards}
      columns={
        asCards
          ? []
          : [
              {
                head: t(/* a column */ 'portal.question', 'Question'),
                cellClass: 'w-1/2',
                cell: title,
              },
              ...columnsOf(),
            ]
      }
      cardHead={(question) => (
        <>
          {title(question)}
          <CardLine question={question} />
        </>
      )}
    />
  );
}

/** The columns as one line: a phone shows many questions at a time. */
function CardLine({ question }: { question: BankQuestion }) {
  const { definition, difficulty, timesSeen } = question;
  const facts = [
    TYPES[definition.type].name(),
    ...(difficulty === null ? [] : [DIFFICULTY_NAMES[difficulty]()]),
    pointsText(definition.points),
    ...(timesSeen === 0
      ? []
      : [
          t(
            /* said of a question, in a row of facts: candidates have seen it so often */ 'bank.seenTimes',
            '{count, plural, one {seen # time} other {seen # times}}',
            { count: timesSeen },
          ),
        ]),
  ];
  return (
    <p className="ps-7 text-sm wrap-anywhere text-ink-2">
      {`${facts.join(' · ')} · `}
      <OwnerOf question={question} />
    </p>
  );
}

/** Groups of questions with the same content and key, in the bank or in one assessment. */
export function BankDuplicates(selection: BankSelectionProps) {
  const [container, width] = useContainerWidth();
  const asCards = width !== null && width < CARDS_BELOW_PX;
  const groups = useDuplicates(true);
  if (groups.isError) {
    return (
      <LoadFailure
        title={t('bank.duplicates.loadFailed', 'Failed to load duplicates')}
        read={groups}
      />
    );
  }
  if (groups.isPending) {
    return (
      <Card>
        <SkeletonRows>{t('bank.duplicates.loading', 'Loading duplicates...')}</SkeletonRows>
      </Card>
    );
  }
  if (groups.data.length === 0) {
    return (
      <Card>
        <EmptyState>
          {t(
            'bank.duplicates.empty',
            'No two questions of the bank, or of one assessment, have the same content and key.',
          )}
        </EmptyState>
      </Card>
    );
  }
  const all = groups.data.flat();
  return (
    <div ref={container} className="grid gap-4">
      <Card>
        <BankSelection
          {...selection}
          pageIds={extras(groups.data)}
          pageLabel={t(
            'bank.duplicates.selectAllButFirst',
            'Select all but the first of each group',
          )}
          total={all.length}
          isArchived={false}
        />
      </Card>
      {groups.data.map((group) => (
        <Card
          key={group[0]?.id}
          title={t(
            'bank.duplicates.group',
            '{count, plural, one {# question with the same content and key} other {# questions with the same content and key}}',
            { count: group.length },
          )}
        >
          <BankRows {...selection} rows={group} asCards={asCards} />
        </Card>
      ))}
    </div>
  );
}

function extras(groups: readonly BankQuestion[][]): string[] {
  return groups.flatMap((group) => group.slice(1).map(({ id }) => id));
}

const ACTIONS = [
  {
    action: 'labels',
    word: () => t(/* a button: changes the labels of questions */ 'bank.action.labels', 'Labels'),
    Icon: Tags,
  },
  {
    action: 'move',
    word: () => t(/* a button: moves questions to an assessment */ 'bank.action.move', 'Move'),
    Icon: FolderInput,
  },
  {
    action: 'restore',
    word: () =>
      t(/* a button: takes questions out of the archive */ 'bank.action.restore', 'Restore'),
    Icon: ArchiveRestore,
  },
  {
    action: 'archive',
    word: () => t(/* a button, a verb: archives questions */ 'bank.action.archive', 'Archive'),
    Icon: Archive,
  },
  { action: 'delete', word: () => t(/* a button */ 'portal.delete', 'Delete'), Icon: Trash2 },
] as const;
export type BankAction = (typeof ACTIONS)[number]['action'];

interface BankSelectionProps {
  selected: ReadonlySet<string>;
  onSelect(ids: readonly string[], isSelected: boolean): void;
  /** Absent: the list has one page. */
  all?: { isBusy: boolean; onSelect(): void };
  onClear(): void;
  onAction(action: BankAction): void;
}

function BankSelection({
  pageIds,
  pageLabel = t('bank.selectAllOnPage', 'Select all on this page'),
  total,
  selected,
  isArchived,
  onSelect,
  all,
  onClear,
  onAction,
}: BankSelectionProps & {
  pageIds: readonly string[];
  pageLabel?: string;
  total: number;
  isArchived: boolean;
}) {
  return (
    <SelectionBar
      label={pageLabel}
      ids={pageIds}
      selected={selected}
      onSelect={onSelect}
      onClear={onClear}
      all={all && { total, most: BULK_MAX, ...all }}
    >
      {ACTIONS.map(
        ({ action, word, Icon }) =>
          action !== (isArchived ? 'archive' : 'restore') && (
            <Button
              key={action}
              variant={action === 'delete' ? 'danger-ghost' : 'secondary'}
              size="dense"
              icon={<Icon />}
              onClick={() => onAction(action)}
            >
              {word()}
            </Button>
          ),
      )}
    </SelectionBar>
  );
}
