import type { ParticipantRecord } from '@invigil/core/contract/participants';
import type { ReactNode } from 'react';
import type { TimelineEntry } from './record-events.ts';
import { timeAxis } from './time-axis.ts';

/**
 * What happened and when answers were saved, on one axis of the allowed minutes. For the eye only:
 * the list below and the answers say the same in words.
 */
export function RecordLanes({
  record,
  entries,
}: {
  record: ParticipantRecord;
  entries: readonly TimelineEntry[];
}) {
  const { participant, deadlineAt, questions } = record;
  const axis = timeAxis(participant.startedAt, deadlineAt);
  const at = (instant: string) => ({ insetInlineStart: `${axis.placeOf(instant)}%` });
  const end = participant.submittedAt;
  const isDismissed = participant.status === 'dismissed';
  return (
    <div aria-hidden="true" className="border-b border-line px-5 pt-4 pb-3">
      <div className="relative grid gap-1 ps-20">
        {end !== null && (
          <div className="absolute inset-y-0 start-20 end-0">
            <span
              data-shape=""
              style={at(end)}
              className={`absolute top-0 bottom-6 w-px ${isDismissed ? 'bg-bad' : 'bg-accent'}`}
            />
          </div>
        )}
        <Lane label="Events">
          {entries.map((entry, index) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
              key={`${entry.at} ${index}`}
              data-shape=""
              title={entry.words}
              style={at(entry.at)}
              className={`absolute top-1/2 size-3 -translate-1/2 rounded-full border-[1.5px] ${
                !entry.isEnd
                  ? 'border-line-strong bg-surface'
                  : isDismissed
                    ? 'border-bad bg-bad'
                    : 'border-accent bg-accent'
              }`}
            />
          ))}
        </Lane>
        <Lane label="Answers">
          {questions.map(
            ({ questionId, position, savedAt }) =>
              savedAt !== null && (
                <span
                  key={questionId}
                  data-shape=""
                  title={`Question ${position}`}
                  style={at(savedAt)}
                  className="absolute top-1/2 h-3.5 w-0.75 -translate-1/2 rounded-[1px] bg-chart"
                />
              ),
          )}
        </Lane>
        <div className="relative h-5 text-xs text-ink-3 tabular-nums">
          {axis.marks.map(({ label, place }) => (
            <span
              key={label}
              style={{ insetInlineStart: `${place}%` }}
              className={`absolute @max-[40rem]:even:hidden ${place === 0 ? '' : place > 95 ? '-translate-x-full' : '-translate-x-1/2'}`}
            >
              {label}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}

function Lane({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="relative h-8">
      <span className="absolute -ms-20 leading-8 text-ink-2">{label}</span>
      <span className="absolute inset-x-0 top-1/2 h-px bg-line" />
      {children}
    </div>
  );
}
