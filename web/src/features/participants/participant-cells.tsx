import type { Participant } from '@invigil/core/contract/participants';
import type { Quiz } from '@invigil/core/contract/quizzes';
import { STRICT_POLICY } from '@invigil/core/domain/violation-policy';
import { formatDateTime } from '../../lib/dates.ts';
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
