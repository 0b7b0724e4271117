import type { Participant } from '@invigil/core/contract/review/participants';
import { isolated } from '@invigil/core/domain/typed-text';
import { ChevronRight } from 'lucide-react';
import { createContext, type ReactNode, useContext } from 'react';
import { Link, useLocation } from 'react-router';
import { z } from 'zod';
import { formatDateTime, formatTimeSpent, pointsText, shortId } from '../../../lib/format.ts';
import { StatusBadge } from '../../../ui/badges/badge.tsx';
import { ViolationPips } from '../../../ui/badges/violation-pips.tsx';
import {
  Cell,
  HeadCell,
  LabelledValue,
  LabelledValues,
  Row,
  Table,
} from '../../../ui/tables/table.tsx';
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx';
import { useSeesWhoseAttempts } from '../../data/own-rights.ts';
import { KnownOf, PersonLink, useNoName } from '../../parts/known-of.tsx';
import { OutcomeOf, PercentOf } from '../../parts/outcome.tsx';
import { QuizLink } from '../../parts/quiz-link.tsx';
import { ReviewState } from '../../parts/verdicts.tsx';
import { type ParticipantSort, type ParticipantsFilter, sortedBy } from './participants-filter.ts';

/** Tighter below 1120 px, where ten columns would not fit. */
const NEAR =
  'not-first:pl-2! not-last:pr-2! @min-[70rem]:not-first:pl-3! @min-[70rem]:not-last:pr-3!';
const WRAPS = `${NEAR} break-words`;
const ONE_LINE = `${NEAR} whitespace-nowrap`;

/** Header, what the server sorts by, and whether the column is end-aligned, as numbers are. */
const HEADS: readonly [header: string, sort: ParticipantSort | null, end?: 'end'][] = [
  ['Participant', 'userEmail'],
  ['Assessment', 'quizTitle'],
  ['Status', 'status'],
  ['Score', 'score', 'end'],
  ['Total Marks', null, 'end'],
  ['Violations', 'violationCount'],
  ['Time Spent', 'timeSpent', 'end'],
  ['Started At', 'startedAt'],
  // Behind the columns of the specification.
  ['Result', null],
  ['Review', null],
];

/** The columns of the specification; the server sorts, so a header only changes the URL. */
export function ParticipantsTable({ rows, filter, ofOne = false, onChange }: ParticipantListProps) {
  const maySee = useSeesWhoseAttempts();
  const areNamed = rows.some(({ userName }) => userName !== undefined);
  /** People are sorted by what stands first: their names, where any are known. */
  const sortOf = (sort: ParticipantSort | null) =>
    sort !== 'userEmail' ? sort : !maySee ? null : areNamed ? 'userName' : sort;
  const sortingOf = (sort: ParticipantSort | null) =>
    sort === null
      ? undefined
      : {
          order: filter.sort === sort ? filter.order : null,
          onSort: () => onChange(sortedBy(filter, sort)),
        };
  return (
    <Table label="Participants">
      <thead>
        <tr>
          {HEADS.filter(([header]) => !ofOne || header !== 'Assessment').map(
            ([header, sort, end]) => (
              <HeadCell
                key={header}
                end={end === 'end'}
                className={NEAR}
                sorting={sortingOf(sortOf(sort))}
              >
                {header}
              </HeadCell>
            ),
          )}
          <HeadCell end className={NEAR}>
            <VisuallyHidden>Record</VisuallyHidden>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <ParticipantRow key={row.id} row={row} ofOne={ofOne} />
        ))}
      </tbody>
    </Table>
  );
}

function ParticipantRow({ row, ofOne }: { row: Participant; ofOne: boolean }) {
  return (
    <Row>
      <Cell className={WRAPS}>
        <div className="min-w-40">
          <div className="font-medium wrap-anywhere">
            <NameOf row={row} />
          </div>
          <KnownOf person={row} email={<EmailOf row={row} />} />
          <div className="code text-xs text-ink-3">{shortId(row.id)}</div>
        </div>
      </Cell>
      {!ofOne && (
        <Cell className={`${WRAPS} text-ink-2`}>
          <QuizLink quizId={row.quizId} title={row.quizTitle} />
        </Cell>
      )}
      <Cell className={ONE_LINE}>
        <StatusBadge status={row.status} />
      </Cell>
      <Cell end className={`${ONE_LINE} font-medium`}>
        <ScoreOf row={row} />
      </Cell>
      <Cell end className={`${ONE_LINE} text-ink-2`}>
        {totalOf(row)}
      </Cell>
      <Cell className={ONE_LINE}>
        <ViolationPips count={row.violationCount} max={row.violationLimit} />
      </Cell>
      <Cell end className={ONE_LINE}>
        {formatTimeSpent(row.timeSpent)}
      </Cell>
      <Cell className={`${WRAPS} text-ink-2`}>
        <div className="min-w-22">
          <StartedAt row={row} />
        </div>
      </Cell>
      <Cell className={WRAPS}>
        <div className="grid justify-items-start gap-1">
          <PercentOf of={row} />
          <OutcomeOf outcome={row.outcome} />
        </div>
      </Cell>
      <Cell className={WRAPS}>
        <div className="min-w-24">
          <ReviewState row={row} />
        </div>
      </Cell>
      <Cell end className={`${ONE_LINE} pr-2! pl-0!`}>
        <OpenRecord row={row} />
      </Cell>
    </Row>
  );
}

export function ParticipantCards({ rows, ofOne = false }: ParticipantListProps) {
  return (
    <ul aria-label="Participants">
      {rows.map((row) => (
        <li key={row.id} className="relative grid gap-2.5 border-b border-line px-4 py-3.5 md:px-5">
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
            <span className="row-span-2 -mr-2">
              <OpenRecord row={row} />
            </span>
            <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
              <StatusBadge status={row.status} />
              <OutcomeOf outcome={row.outcome} />
              {!ofOne && (
                <span className="min-w-0 text-sm break-words text-ink-2">
                  <QuizLink quizId={row.quizId} title={row.quizTitle} />
                </span>
              )}
            </div>
          </div>
          <LabelledValues>
            <LabelledValue label="Score">
              <span className="font-medium">
                <ScoreOf row={row} />
              </span>
              {row.score !== null && <span> of {totalOf(row)}</span>} <PercentOf of={row} />
            </LabelledValue>
            <LabelledValue label="Violations">
              <ViolationPips count={row.violationCount} max={row.violationLimit} />
            </LabelledValue>
            <LabelledValue label="Time Spent">{formatTimeSpent(row.timeSpent)}</LabelledValue>
            <LabelledValue label="Started At">
              <StartedAt row={row} />
            </LabelledValue>
            {(row.toReview || row.verdict !== null) && (
              <LabelledValue label="Review">
                <ReviewState row={row} />
              </LabelledValue>
            )}
          </LabelledValues>
        </li>
      ))}
    </ul>
  );
}

interface ParticipantListProps {
  rows: readonly Participant[];
  filter: ParticipantsFilter;
  /** All of one assessment, which need not be named in each row. */
  ofOne?: boolean;
  onChange(next: ParticipantsFilter): void;
}

/** A long address breaks before its @ rather than anywhere. */
function breakable(email: string): ReactNode {
  const at = email.lastIndexOf('@');
  return (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
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
      aria-label={`Open the record of ${row.userEmail ?? noName}, ${shortId(row.id)}`}
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
    <span>{row.points ?? row.score}</span>
  );
}

/** The most that can be reached: "25", or "20 points". */
function totalOf({ totalMarks, maxPoints }: Participant): string {
  return maxPoints === undefined ? String(totalMarks) : pointsText(maxPoints);
}

function StartedAt({ row }: { row: Participant }) {
  return <time dateTime={row.startedAt}>{formatDateTime(row.startedAt)}</time>;
}
