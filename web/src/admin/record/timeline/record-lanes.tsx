import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import type { ReactNode } from 'react';
import type { TimelineEntry } from '../record-events.ts';
import { endingViolation } from '../record-texts.tsx';

/** Steps between two marks of the axis, minutes. */
const STEPS = [1, 2, 5, 10, 15, 20, 30, 60];
const MARKS_AT_MOST = 6;

/** The allowed time of an attempt as an axis; positions are in percent. */
interface TimeAxis {
  /** The position of an instant, 0 to 100, clamped at both ends. */
  placeOf(at: string): number;
  marks: { label: string; place: number }[];
}

export function timeAxis(startedAt: string, deadlineAt: string): TimeAxis {
  const start = Date.parse(startedAt);
  const length = Math.max(60_000, Date.parse(deadlineAt) - start);
  const minutes = length / 60_000;
  const step = STEPS.find((size) => minutes / size <= MARKS_AT_MOST - 1) ?? 60;
  const marks = Array.from({ length: Math.floor(minutes / step) + 1 }, (_, n) => ({
    label: `${String(n * step).padStart(2, '0')}:00`,
    place: ((n * step) / minutes) * 100,
  }));
  return {
    placeOf: (at) => Math.min(100, Math.max(0, ((Date.parse(at) - start) / length) * 100)),
    marks,
  };
}

/**
 * Violations, events and saved answers on one axis of the allowed minutes.
 * Hidden from screen readers: the list below and the answers have the same content.
 */
export function RecordLanes({
  record,
  entries,
}: {
  record: ParticipantRecord;
  entries: readonly TimelineEntry[];
}) {
  const { participant, deadlineAt, violations, connectionGaps } = record;
  const axis = timeAxis(participant.startedAt, deadlineAt);
  const at = (instant: string) => ({ insetInlineStart: `${axis.placeOf(instant)}%` });
  const end = participant.submittedAt;
  const isDismissed = participant.status === 'dismissed';
  const counted = violations.filter((violation) => violation.counted);
  const fatal = endingViolation(record);
  const of = (kind: TimelineEntry['kind']) => entries.filter((entry) => entry.kind === kind);
  return (
    <div aria-hidden="true" className="border-b border-line px-5 pt-4 pb-3">
      <div className="relative grid gap-1 ps-25">
        {end !== null && (
          <div className="absolute inset-y-0 start-25 end-0">
            <span
              data-shape=""
              style={at(end)}
              className={`absolute top-0 bottom-6 w-px ${isDismissed ? 'bg-bad' : 'bg-accent'}`}
            />
          </div>
        )}
        {violations.length > 0 && (
          <>
            <Lane label="Violations">
              {counted.map((violation, index) => (
                <span
                  key={violation.id}
                  data-shape=""
                  style={at(violation.at)}
                  className={`absolute top-1/2 grid size-5.5 -translate-1/2 place-items-center rounded-full border text-xs font-semibold ${violation === fatal ? 'border-bad bg-bad text-on-bad' : 'border-warn-edge bg-warn text-on-warn'}`}
                >
                  {index + 1}
                </span>
              ))}
            </Lane>
            <Lane label="Also recorded">
              {of('signal').map((entry, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
                <Ring key={index} title={entry.words} style={at(entry.at)} />
              ))}
            </Lane>
          </>
        )}
        {connectionGaps.length > 0 && (
          <Lane label="Connection">
            {connectionGaps.map(({ from, to }) => (
              <span
                key={from}
                data-shape=""
                title="No contact"
                style={{
                  insetInlineStart: `${axis.placeOf(from)}%`,
                  width: `${axis.placeOf(to) - axis.placeOf(from)}%`,
                }}
                className="absolute top-1/2 h-3.5 min-w-1 -translate-y-1/2 rounded-[2px] border border-dashed border-line-strong bg-fill"
              />
            ))}
          </Lane>
        )}
        <Lane label="Events">
          {of('event').map((entry, index) => (
            <Ring
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
              key={index}
              title={entry.words}
              style={at(entry.at)}
              {...(entry.isEnd
                ? { look: isDismissed ? 'border-bad bg-bad' : 'border-accent bg-accent' }
                : {})}
            />
          ))}
        </Lane>
        <Lane label="Answers">
          {of('answer').map((entry, index) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
              key={index}
              data-shape=""
              title={entry.words}
              style={at(entry.at)}
              className="absolute top-1/2 h-3.5 w-0.75 -translate-1/2 rounded-[1px] bg-chart"
            />
          ))}
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

function Ring({
  title,
  style,
  look = 'border-line-strong bg-surface',
}: {
  title: string;
  style: { insetInlineStart: string };
  look?: string;
}) {
  return (
    <span
      data-shape=""
      title={title}
      style={style}
      className={`absolute top-1/2 size-3 -translate-1/2 rounded-full border-[1.5px] ${look}`}
    />
  );
}

function Lane({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="relative h-8">
      <span className="absolute -ms-25 leading-8 whitespace-nowrap text-ink-2">{label}</span>
      <span className="absolute inset-x-0 top-1/2 h-px bg-line" />
      {children}
    </div>
  );
}
