import type { Participant } from '@invigil/core/contract/review/participants';
import { figureText } from '@invigil/core/domain/locale';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { ChevronRight } from 'lucide-react';
import { createContext, useContext } from 'react';
import { Link, useLocation } from 'react-router';
import { z } from 'zod';
import { formatDateTime, formatTimeSpent, pointsText, shortId } from '../../../lib/format.ts';
import { StatusBadge } from '../../../ui/badges/badge.tsx';
import { ViolationPips } from '../../../ui/badges/violation-pips.tsx';
import { Trans } from '../../../ui/trans.tsx';
import { useSeesWhoseAttempts } from '../../data/own-rights.ts';
import { type Column, Rows } from '../../list/list.tsx';
import { breakable, KnownOf, PersonLink, useNoName } from '../../parts/known-of.tsx';
import { OutcomeOf, PercentOf } from '../../parts/outcome.tsx';
import { QuizLink } from '../../parts/quiz-link.tsx';
import { ReviewState } from '../../parts/verdicts.tsx';
import { type ParticipantSort, type ParticipantsFilter, sortedBy } from './participants-filter.ts';

/** Tighter below 1216 px, where ten columns would not fit. */
const NEAR =
  'not-first:ps-2! not-last:pe-2! @min-[76rem]:not-first:ps-3! @min-[76rem]:not-last:pe-3!';
const WRAPS = `${NEAR} break-words`;
const ONE_LINE = `${NEAR} whitespace-nowrap`;

/** The columns of the specification, and behind them what came later; the server sorts. */
type ParticipantColumn = Omit<Column<Participant>, 'head'> & {
  head: () => string;
  sort?: ParticipantSort;
};

const COLUMNS: readonly ParticipantColumn[] = [
  {
    head: () => t(/* the head of a column: a person */ 'portal.participant', 'Participant'),
    sort: 'userEmail',
    cellClass: WRAPS,
    card: false,
    cell: (row) => (
      <div className="min-w-36">
        <div className="font-medium wrap-anywhere">
          <NameOf row={row} />
        </div>
        <KnownOf person={row} email={<EmailOf row={row} />} />
        <div className="text-xs text-ink-3">
          <span className="code">{shortId(row.id)}</span>
        </div>
      </div>
    ),
  },
  {
    head: () => t(/* the head of a column */ 'portal.assessment', 'Assessment'),
    sort: 'quizTitle',
    cellClass: `${WRAPS} text-ink-2`,
    card: false,
    cell: (row) => <QuizLink quizId={row.quizId} title={row.quizTitle} />,
  },
  {
    head: () => t(/* the head of a column: the state of an attempt */ 'portal.status', 'Status'),
    sort: 'status',
    cellClass: ONE_LINE,
    card: false,
    cell: (row) => <StatusBadge status={row.status} />,
  },
  {
    head: () => t(/* the head of a column: the points that were reached */ 'portal.score', 'Score'),
    sort: 'score',
    end: true,
    cellClass: `${ONE_LINE} font-medium`,
    cell: (row) => <ScoreOf row={row} />,
    card: (row) => (
      <>
        <ScoreOfTotal row={row} /> <PercentOf of={row} />
      </>
    ),
  },
  {
    head: () =>
      t(
        /* the head of a column: the most points that can be reached */ 'attempts.head.totalMarks',
        'Total Marks',
      ),
    end: true,
    cellClass: `${ONE_LINE} text-ink-2`,
    card: false,
    cell: totalOf,
  },
  {
    head: () => t(/* the head of a column: how many */ 'portal.violations', 'Violations'),
    sort: 'violationCount',
    cellClass: ONE_LINE,
    cell: (row) => <ViolationPips count={row.violationCount} max={row.violationLimit} />,
  },
  {
    head: () => t(/* the head of a column */ 'portal.timeSpent', 'Time Spent'),
    sort: 'timeSpent',
    end: true,
    cellClass: ONE_LINE,
    cell: (row) => formatTimeSpent(row.timeSpent),
  },
  {
    head: () =>
      t(
        /* the head of a column: when an attempt was started */ 'attempts.head.startedAt',
        'Started At',
      ),
    sort: 'startedAt',
    cellClass: `${WRAPS} text-ink-2`,
    cell: (row) => (
      <div className="min-w-22">
        <StartedAt row={row} />
      </div>
    ),
    card: (row) => <StartedAt row={row} />,
  },
  {
    head: () =>
      t(/* the head of a column: per cent, passed or failed */ 'attempts.head.result', 'Result'),
    cellClass: WRAPS,
    card: false,
    cell: (row) => (
      <div className="grid justify-items-start gap-1">
        <PercentOf of={row} />
        <OutcomeOf outcome={row.outcome} />
      </div>
    ),
  },
  {
    head: () =>
      t(
        /* the head of a column: whether a reviewer has looked at it */ 'attempts.head.review',
        'Review',
      ),
    cellClass: WRAPS,
    cell: (row) => (
      <div className="min-w-24">
        <ReviewState row={row} />
      </div>
    ),
    card: (row) => (row.toReview || row.verdict !== null ? <ReviewState row={row} /> : null),
  },
  {
    head: () =>
      t(
        /* the head of a column of links: all that is known of an attempt (noun) */ 'attempts.head.record',
        'Record',
      ),
    isHeadHidden: true,
    end: true,
    cellClass: `${ONE_LINE} pe-2! ps-0!`,
    card: false,
    cell: (row) => <OpenRecord row={row} />,
  },
];

/** Attempts as a table, whose heads only change the address, or as cards. */
export function ParticipantRows({
  rows,
  filter,
  ofOne = false,
  asCards,
  onChange,
}: {
  rows: readonly Participant[];
  filter: ParticipantsFilter;
  /** All of one assessment, which need not be named in each row. */
  ofOne?: boolean;
  asCards: boolean;
  onChange(next: ParticipantsFilter): void;
}) {
  const maySee = useSeesWhoseAttempts();
  const areNamed = rows.some(({ userName }) => userName !== undefined);
  const sortingOf = (sort: ParticipantSort | undefined) => {
    if (sort === undefined || (sort === 'userEmail' && !maySee)) return undefined;
    // People are sorted by what stands first: their names, where any are known.
    const by = sort === 'userEmail' && areNamed ? 'userName' : sort;
    const order = filter.sort === by ? filter.order : null;
    return { order, onSort: () => onChange(sortedBy(filter, by)) };
  };
  return (
    <Rows
      label={t(
        /* the name of the table: people who take an assessment */ 'attempts.participants',
        'Participants',
      )}
      rows={rows}
      asCards={asCards}
      columns={COLUMNS.filter(({ sort }) => !ofOne || sort !== 'quizTitle').map(
        ({ sort, head, ...column }) => ({
          ...column,
          head: head(),
          headClass: NEAR,
          sorting: sortingOf(sort),
        }),
      )}
      cardHead={(row) => (
        <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3">
          <div className="flex flex-wrap items-baseline gap-x-2">
            <span className="min-w-0 font-medium wrap-anywhere">
              <NameOf row={row} />
            </span>
            <span className="code text-xs text-ink-3">{shortId(row.id)}</span>
            <div className="basis-full">
              <KnownOf person={row} email={<EmailOf row={row} />} />
            </div>
          </div>
          <span className="row-span-2 -me-2">
            <OpenRecord row={row} />
          </span>
          <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
            <StatusBadge status={row.status} />
            <OutcomeOf outcome={row.outcome} />
            {!ofOne && (
              <span className="min-w-0 text-sm wrap-anywhere text-ink-2">
                <QuizLink quizId={row.quizId} title={row.quizTitle} />
              </span>
            )}
          </div>
        </div>
      )}
    />
  );
}

function NameOf({ row }: { row: Participant }) {
  return (
    <PersonLink userId={row.userId} isErased={row.userEmail === null}>
      {row.userName === undefined ? <EmailOf row={row} /> : isolated(row.userName)}
    </PersonLink>
  );
}

/** An erased person has no address any more. */
function EmailOf({ row }: { row: Participant }) {
  const noName = useNoName();
  return row.userEmail === null ? (
    <span className="text-ink-3">{noName}</span>
  ) : (
    <span>{breakable(row.userEmail)}</span>
  );
}

/** History state of a record: the list that it was opened from. */
const FromList = z.object({
  /** Filter, order and page, as in the URL. */
  search: z.string(),
  ids: z.array(z.string()),
  total: z.int(),
});
export type FromList = z.infer<typeof FromList>;

/** The attempts of the current page, for navigation between records. */
export const Listed = createContext<FromList>({ search: '', ids: [], total: 0 });

/** The list that this record was opened from; `null` if opened by its URL. */
export function useFromList(): FromList | null {
  const { state } = useLocation();
  return FromList.safeParse(state).data ?? null;
}

/** The link to the record, at the row's end; its click area is the whole row. */
function OpenRecord({ row }: { row: Participant }) {
  const listed = useContext(Listed);
  const noName = useNoName();
  return (
    <Link
      to={`/admin/participants/${row.id}`}
      state={listed}
      aria-label={t(
        /* a link. id: the end of the number of the attempt */ 'attempts.openRecord',
        'Open the record of {person}, {id}',
        { person: row.userEmail ?? noName, id: shortId(row.id) },
      )}
      className="inline-grid size-8 place-items-center rounded-md text-ink-2 after:absolute after:inset-0 hover:text-ink touch:size-11"
    >
      <ChevronRight className="size-4.5" />
    </Link>
  );
}

/** A dash for "none yet", 0 for zero. */
function ScoreOf({ row }: { row: Participant }) {
  return row.score === null ? (
    <span className="text-ink-3">–</span>
  ) : (
    <span>{figureText(row.points ?? row.score)}</span>
  );
}

/** On a card, which has no column for the total: "12 of 25". */
function ScoreOfTotal({ row }: { row: Participant }) {
  const { points, maxPoints } = row;
  if (row.score === null) return <ScoreOf row={row} />;
  const components = { b: <span className="font-medium" /> };
  return maxPoints === undefined || typeof points !== 'number' ? (
    <Trans
      id="attempts.scoreOfTotal"
      comment="what was reached, of what can be reached: “12 of 25”"
      message="<b>{score}</b> of {total}"
      values={{ score: String(row.score), total: String(row.totalMarks) }}
      components={components}
    />
  ) : (
    <Trans
      id="attempts.pointsOfTotal"
      comment="points that were reached, and the most there are: “12.5 of 20 points”"
      message="{count, plural, one {<b>{points}</b> of {max} point} other {<b>{points}</b> of {max} points}}"
      values={{ count: maxPoints, points: figureText(points), max: figureText(maxPoints) }}
      components={components}
    />
  );
}

/** The most that can be reached: "25", or "20 points". */
function totalOf({ totalMarks, maxPoints }: Participant): string {
  return maxPoints === undefined ? String(totalMarks) : pointsText(maxPoints);
}

function StartedAt({ row }: { row: Participant }) {
  return <time dateTime={row.startedAt}>{formatDateTime(row.startedAt)}</time>;
}
