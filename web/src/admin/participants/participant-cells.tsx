import type { Participant } from '@invigil/core/contract/review/participants';
import { ChevronRight } from 'lucide-react';
import { createContext, type ReactNode, useContext } from 'react';
import { Link, useLocation } from 'react-router';
import { z } from 'zod';
import { formatDateTime, pointsWords, shortId } from '../../lib/format.ts';
import type { ParticipantsFilter } from './participants-filter.ts';

export interface ParticipantListProps {
  rows: readonly Participant[];
  filter: ParticipantsFilter;
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

/** An erased person has no address any more. */
export function EmailOf({ row }: { row: Participant }) {
  return row.userEmail === null ? (
    <span className="text-ink-3">Unknown</span>
  ) : (
    <span>{breakable(row.userEmail)}</span>
  );
}

/** History state of a record: the list that it was opened from. */
const FromList = z.object({
  /** Filter, order and page, as in the URL. */
  search: z.string(),
  /** The attempts of that page, in their order. */
  ids: z.array(z.string()),
  /** Number of rows of the whole list. */
  total: z.int(),
});
export type FromList = z.infer<typeof FromList>;

/** The attempts of the current page, for navigation between records. */
export const Listed = createContext<Omit<FromList, 'search'>>({ ids: [], total: 0 });

/** The list that this record was opened from; `null` if opened by its URL. */
export function useFromList(): FromList | null {
  const { state } = useLocation();
  return FromList.safeParse(state).data ?? null;
}

/** The link to the record, at the row's end; its click area is the whole row. */
export function OpenRecord({ row }: { row: Participant }) {
  const { search } = useLocation();
  const listed = useContext(Listed);
  return (
    <Link
      to={`/admin/participants/${row.id}`}
      state={{ search, ...listed } satisfies FromList}
      aria-label={`Open the record of ${row.userEmail ?? 'Unknown'}, ${shortId(row.id)}`}
      className="inline-grid size-8 place-items-center rounded-md text-ink-2 after:absolute after:inset-0 hover:text-ink touch:size-11"
    >
      <ChevronRight className="size-4.5" />
    </Link>
  );
}

/** A dash for "none yet", 0 for zero. */
export function ScoreOf({ row }: { row: Participant }) {
  return row.score === null ? (
    <span className="text-ink-3">–</span>
  ) : (
    <span>{row.points ?? row.score}</span>
  );
}

/** The most that can be reached: "25", or "20 points". */
export function totalOf({ totalMarks, maxPoints }: Participant): string {
  return maxPoints === undefined ? String(totalMarks) : pointsWords(maxPoints);
}

export function StartedAt({ row }: { row: Participant }) {
  return <time dateTime={row.startedAt}>{formatDateTime(row.startedAt)}</time>;
}
