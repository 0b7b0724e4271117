import { PARTICIPANT_SORTS, type Participant } from '@invigil/core/contract/review/participants';
import {
  createColumnHelper,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import { shortId } from '../../lib/short-id.ts';
import { formatTimeSpent } from '../../lib/time-spent.ts';
import { StatusBadge } from '../../ui/badges/status-badge.tsx';
import { ViolationPips } from '../../ui/badges/violation-pips.tsx';
import { Cell, HeadCell, Row, Table } from '../../ui/tables/table.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import {
  EmailOf,
  OpenRecord,
  type ParticipantListProps,
  ScoreOf,
  StartedAt,
  totalOf,
} from './participant-cells.tsx';
import { type ParticipantSort, sortedBy } from './participants-filter.ts';
import { ReviewState } from './verdicts.tsx';

const features = tableFeatures({ rowSortingFeature });
const column = createColumnHelper<typeof features, Participant>();

/** Numbers are end-aligned. */
const AT_END = new Set(['score', 'totalMarks', 'timeSpent', 'record']);
/** Tighter below 1120 px, where ten columns would not fit. */
const NEAR =
  'not-first:pl-2! not-last:pr-2! @min-[70rem]:not-first:pl-3! @min-[70rem]:not-last:pr-3!';
/** Cells that may wrap on narrow screens. */
const WRAPS = new Set(['userEmail', 'quizTitle', 'startedAt', 'review']);
const QUIET = new Set(['quizTitle', 'totalMarks', 'startedAt']);

const columns = column.columns([
  column.accessor('userEmail', {
    header: 'Participant',
    cell: ({ row }) => (
      <div className="min-w-45">
        <div className="font-medium wrap-anywhere">
          <EmailOf row={row.original} />
        </div>
        <div className="code text-xs text-ink-3">{shortId(row.original.id)}</div>
      </div>
    ),
  }),
  column.accessor('quizTitle', { header: 'Assessment' }),
  column.accessor('status', {
    header: 'Status',
    cell: ({ row }) => <StatusBadge status={row.original.status} />,
  }),
  column.accessor('score', {
    header: 'Score',
    cell: ({ row }) => (
      <span className="font-medium">
        <ScoreOf row={row.original} />
      </span>
    ),
  }),
  column.accessor('totalMarks', {
    header: 'Total Marks',
    enableSorting: false,
    cell: ({ row }) => totalOf(row.original),
  }),
  column.accessor('violationCount', {
    header: 'Violations',
    cell: ({ row }) => (
      <ViolationPips count={row.original.violationCount} max={row.original.violationLimit} />
    ),
  }),
  column.accessor('timeSpent', {
    header: 'Time Spent',
    cell: ({ row }) => formatTimeSpent(row.original.timeSpent),
  }),
  column.accessor('startedAt', {
    header: 'Started At',
    cell: ({ row }) => (
      <div className="min-w-22">
        <StartedAt row={row.original} />
      </div>
    ),
  }),
  column.display({
    id: 'review',
    header: 'Review',
    cell: ({ row }) => (
      <div className="min-w-28">
        <ReviewState row={row.original} />
      </div>
    ),
  }),
  column.display({
    id: 'record',
    header: () => <VisuallyHidden>Record</VisuallyHidden>,
    cell: ({ row }) => <OpenRecord row={row.original} />,
  }),
]);

const sortOf = (columnId: string): ParticipantSort | undefined =>
  PARTICIPANT_SORTS.find((sort) => sort === columnId);

/** The columns of the seed; the server sorts, so a header only changes the URL. */
export function ParticipantsTable({ rows, filter, onChange }: ParticipantListProps) {
  const data = useMemo(() => [...rows], [rows]);
  const table = useTable({ features, columns, data, manualSorting: true });

  const sortingOf = (columnId: string, canSort: boolean) => {
    const sort = canSort ? sortOf(columnId) : undefined;
    if (sort === undefined) return undefined;
    return {
      order: filter.sort === sort ? filter.order : null,
      onSort: () => onChange(sortedBy(filter, sort)),
    };
  };
  return (
    <Table label="Participants">
      <thead>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id}>
            {group.headers.map((header) => (
              <HeadCell
                key={header.id}
                end={AT_END.has(header.column.id)}
                className={NEAR}
                sorting={sortingOf(header.column.id, header.column.getCanSort())}
              >
                <table.FlexRender header={header} />
              </HeadCell>
            ))}
          </tr>
        ))}
      </thead>
      <tbody>
        {table.getRowModel().rows.map((row) => (
          <Row key={row.original.id}>
            {row.getAllCells().map((cell) => (
              <Cell
                key={cell.id}
                end={AT_END.has(cell.column.id)}
                className={`${NEAR} ${QUIET.has(cell.column.id) ? 'text-ink-2' : ''} ${WRAPS.has(cell.column.id) ? 'break-words' : 'whitespace-nowrap'} ${cell.column.id === 'record' ? 'pr-2! pl-0!' : ''}`}
              >
                <table.FlexRender cell={cell} />
              </Cell>
            ))}
          </Row>
        ))}
      </tbody>
    </Table>
  );
}
