import type { Participant } from '@invigil/core/contract/participants';
import type { Quiz } from '@invigil/core/contract/quizzes';
import { STRICT_POLICY } from '@invigil/core/domain/violation-policy';
import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router';
import { formatDateTime } from '../../lib/dates.ts';
import { shortId } from '../../lib/short-id.ts';
import type { ParticipantsFilter } from './participants-filter.ts';

export interface ParticipantListProps {
  rows: readonly Participant[];
  quizzes: readonly Quiz[];
  filter: ParticipantsFilter;
  onChange(next: ParticipantsFilter): void;
}

/** An erased person has no address any more. */
export function EmailOf({ row }: { row: Participant }) {
  return row.userEmail === null ? (
    <span className="text-ink-3">Unknown</span>
  ) : (
    <span>{row.userEmail}</span>
  );
}

/** The way into the record, at the row's end; the whole row opens through it. */
export function OpenRecord({ row }: { row: Participant }) {
  return (
    <Link
      to={`/admin/participants/${row.id}`}
      aria-label={`Open the record of ${row.userEmail ?? 'Unknown'}, ${shortId(row.id)}`}
      className="inline-grid size-8 place-items-center rounded-md text-ink-2 after:absolute after:inset-0 hover:text-ink touch:size-11"
    >
      <ChevronRight aria-hidden="true" className="size-4.5" strokeWidth={1.5} />
    </Link>
  );
}

/** A dash for "none yet", 0 for zero. */
export function ScoreOf({ row }: { row: Participant }) {
  return row.score === null ? <span className="text-ink-3">–</span> : <span>{row.score}</span>;
}

export function StartedAt({ row }: { row: Participant }) {
  return <time dateTime={row.startedAt}>{formatDateTime(row.startedAt)}</time>;
}

/** How many counted violations the assessment allows; `null` when nothing ends by itself. */
export function violationLimit(row: Participant, quizzes: readonly Quiz[]): number | null {
  const quiz = quizzes.find((candidate) => candidate.id === row.quizId);
  return quiz === undefined ? STRICT_POLICY.limits.combined : quiz.policy.limits.combined;
}
