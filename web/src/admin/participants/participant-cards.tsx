import { shortId } from '../../lib/short-id.ts';
import { formatTimeSpent } from '../../lib/time-spent.ts';
import { StatusBadge } from '../../ui/badges/status-badge.tsx';
import { ViolationPips } from '../../ui/badges/violation-pips.tsx';
import { LabelledValue, LabelledValues } from '../../ui/labelled-values.tsx';
import {
  EmailOf,
  OpenRecord,
  type ParticipantListProps,
  ScoreOf,
  StartedAt,
  totalOf,
} from './participant-cells.tsx';
import { ReviewState } from './verdicts.tsx';

/** The table on narrow screens, in the order of its columns. */
export function ParticipantCards({ rows }: ParticipantListProps) {
  return (
    <ul aria-label="Participants">
      {rows.map((row) => (
        <li key={row.id} className="relative grid gap-2.5 border-b border-line px-4 py-3.5 md:px-5">
          <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3">
            <div className="flex flex-wrap items-baseline gap-x-2">
              <span className="min-w-0 font-medium wrap-anywhere">
                <EmailOf row={row} />
              </span>
              <span className="code text-xs text-ink-3">{shortId(row.id)}</span>
            </div>
            <span className="row-span-2 -mr-2">
              <OpenRecord row={row} />
            </span>
            <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
              <StatusBadge status={row.status} />
              <span className="min-w-0 text-sm break-words text-ink-2">{row.quizTitle}</span>
            </div>
          </div>
          <LabelledValues>
            <LabelledValue label="Score">
              <span className="font-medium">
                <ScoreOf row={row} />
              </span>
              {row.score !== null && <span> of {totalOf(row)}</span>}
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
