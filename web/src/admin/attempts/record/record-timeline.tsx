import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { t } from '@invigil/core/texts/i18n';
import { type ReactNode, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/page.tsx';
import { Trans } from '../../../ui/trans.tsx';
import {
  ENTRY_KINDS,
  type EntryKind,
  sinceText,
  type TimelineEntry,
  timelineOf,
} from './record-events.ts';
import { Moment } from './record-texts.tsx';

const FIRST = 50;

const KIND_NAMES: Record<EntryKind, () => string> = {
  violation: () => t(/* what a timeline shows */ 'portal.violations', 'Violations'),
  page: () => t(/* what a timeline shows */ 'record.kind.page', 'Fullscreen and tabs'),
  signal: () => t(/* signals that are no violations */ 'record.kind.signals', 'Also recorded'),
  connection: () => t(/* to the server */ 'portal.connection', 'Connection'),
  event: () => t(/* what a timeline shows */ 'record.kind.events', 'Events'),
  answer: () => t(/* what a timeline shows */ 'portal.answers', 'Answers'),
};

/** Each numbers its own: the first as many as the number of violations says. */
const LANE_NAMES = {
  violation: KIND_NAMES.violation,
  page: () =>
    t(/* short: fullscreen and tabs of the candidate’s page */ 'record.lane.page', 'Page'),
} as const;

/** A paper has up to a hundred answers; they are listed only on request. */
const AT_FIRST: readonly EntryKind[] = ['violation', 'page', 'signal', 'connection', 'event'];

export function RecordTimeline({ record }: { record: ParticipantRecord }) {
  const [all, setAll] = useState(false);
  const [kinds, setKinds] = useState<readonly EntryKind[]>(AT_FIRST);
  const entries = timelineOf(record);
  const found = entries.filter(({ kind }) => kinds.includes(kind));
  const shown = all ? found : found.slice(0, FIRST);
  const toggle = (kind: EntryKind) =>
    setKinds(kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind]);
  return (
    <Card
      title={t(/* a heading */ 'record.timeline.title', 'Timeline')}
      aside={
        <p className="text-sm text-ink-3">
          {t(/* what the times mean */ 'record.timeline.times', 'Time since the start')}
        </p>
      }
    >
      <RecordLanes record={record} entries={entries} />
      <KindFilter entries={entries} kinds={kinds} onToggle={toggle} />
      {found.length === 0 ? (
        <p className="px-5 py-4 text-ink-2">
          {entries.length === 0
            ? t('record.timeline.none', 'Nothing was recorded.')
            : t('record.timeline.noneOfKinds', 'No entries of these kinds were recorded.')}
        </p>
      ) : (
        <ol className="px-5 py-4 tabular-nums">
          {shown.map((entry, index) => (
            <TimelineEntryRow
              // Two entries may have the same text; the index distinguishes them.
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
              key={`${entry.at} ${index}`}
              entry={entry}
              startedAt={record.participant.startedAt}
              isDismissed={record.participant.status === 'dismissed'}
            />
          ))}
        </ol>
      )}
      {shown.length < found.length && (
        <div className="border-t border-line px-5 py-3">
          <Button size="dense" onClick={() => setAll(true)}>
            {t(
              'record.timeline.showAll',
              '{count, plural, one {Show all # entries} other {Show all # entries}}',
              { count: found.length },
            )}
          </Button>
        </div>
      )}
    </Card>
  );
}

function KindFilter({
  entries,
  kinds,
  onToggle,
}: {
  entries: readonly TimelineEntry[];
  kinds: readonly EntryKind[];
  onToggle(kind: EntryKind): void;
}) {
  const there = ENTRY_KINDS.map((kind) => ({
    kind,
    count: entries.filter((entry) => entry.kind === kind).length,
  })).filter(({ count }) => count > 0);
  if (there.length < 2) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form, these are views
    <div
      role="group"
      aria-label={t('record.timeline.show', 'Show in the timeline')}
      className="flex flex-wrap gap-1.5 border-b border-line px-5 py-3"
    >
      {there.map(({ kind, count }) => (
        <button
          key={kind}
          type="button"
          aria-pressed={kinds.includes(kind)}
          onClick={() => onToggle(kind)}
          className="min-h-8 rounded-md border border-line-2 px-2.5 text-sm font-medium text-ink-2 hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-ink touch:min-h-11"
        >
          {`${KIND_NAMES[kind]()} (${count})`}
        </button>
      ))}
    </div>
  );
}

/** Shape and color of a type; redundant with its text. */
const DOTS: Record<EntryKind, string> = {
  violation: 'rounded-full border-warn-edge bg-warn',
  page: 'rounded-full border-warn-edge bg-warn',
  signal: 'rounded-full border-line-strong bg-surface',
  connection: 'rounded-[2px] border-line-strong border-dashed bg-surface',
  event: 'rounded-full border-line-strong bg-fill',
  answer: 'rounded-[2px] border-chart bg-chart',
};

function TimelineEntryRow({
  entry,
  startedAt,
  isDismissed,
}: {
  entry: TimelineEntry;
  startedAt: string;
  isDismissed: boolean;
}) {
  const { at, kind, words, lines, isEnd, isFatal, by } = entry;
  const end = isDismissed ? 'border-bad bg-bad' : 'border-accent bg-accent';
  return (
    <li className="relative grid grid-cols-[3.75rem_1rem_minmax(0,1fr)] items-start gap-x-2 pb-4 last:pb-0">
      <span className="text-end text-sm leading-5 text-ink-2">{sinceText(startedAt, at)}</span>
      <span aria-hidden="true" className="relative grid justify-center self-stretch">
        <span className="absolute top-1.5 -bottom-5.5 inset-s-1/2 w-px bg-line-2 [li:last-child>span>&]:hidden" />
        <span
          data-shape=""
          className={`relative mt-1 size-3 border-[1.5px] ${isEnd ? `rounded-full ${end}` : isFatal ? 'rounded-full border-bad bg-bad' : DOTS[kind]}`}
        />
      </span>
      <span className="min-w-0">
        <span className="flex flex-wrap justify-between gap-x-3">
          <span
            className={`wrap-anywhere ${kind === 'violation' || kind === 'page' ? 'font-medium' : ''}`}
          >
            {isFatal ? (
              <Trans
                id="record.timeline.ending"
                comment="what: a violation, “Left fullscreen, counted”"
                message="{what}<end>, ended the attempt</end>"
                values={{ what: words }}
                components={{ end: <span className="font-normal text-bad-ink" /> }}
              />
            ) : (
              words
            )}
          </span>
          <span className="text-sm text-ink-3">
            <Moment at={at} />
          </span>
        </span>
        {lines.map((line) => (
          <span key={line} className="block text-sm wrap-anywhere text-ink-2">
            {line}
          </span>
        ))}
        {by !== null && (
          <span className="block text-sm wrap-anywhere text-ink-2">
            <span className="break-all">{by.adminEmail}</span>
            {by.reason !== null && `: ${by.reason}`}
          </span>
        )}
      </span>
    </li>
  );
}

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
function RecordLanes({
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
  const of = (kind: TimelineEntry['kind']) => entries.filter((entry) => entry.kind === kind);
  return (
    <div aria-hidden="true" dir="ltr" className="border-b border-line px-5 pt-4 pb-3">
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
            {(['violation', 'page'] as const).map(
              (kind) =>
                (kind === 'violation' || of(kind).length > 0) && (
                  <Lane key={kind} label={LANE_NAMES[kind]()}>
                    {of(kind).map((entry, index) => (
                      <span
                        // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
                        key={index}
                        data-shape=""
                        style={at(entry.at)}
                        className={`absolute top-1/2 grid size-5.5 -translate-1/2 place-items-center rounded-full border text-xs font-semibold ${entry.isFatal ? 'border-bad bg-bad text-on-bad' : 'border-warn-edge bg-warn text-on-warn'}`}
                      >
                        {index + 1}
                      </span>
                    ))}
                  </Lane>
                ),
            )}
            <Lane label={KIND_NAMES.signal()}>
              {of('signal').map((entry, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
                <Ring key={index} title={entry.words} style={at(entry.at)} />
              ))}
            </Lane>
          </>
        )}
        {connectionGaps.length > 0 && (
          <Lane label={KIND_NAMES.connection()}>
            {connectionGaps.map(({ from, to }) => (
              <span
                key={from}
                data-shape=""
                title={t('record.lane.noContact', 'No contact')}
                style={{
                  insetInlineStart: `${axis.placeOf(from)}%`,
                  width: `${axis.placeOf(to) - axis.placeOf(from)}%`,
                }}
                className="absolute top-1/2 h-3.5 min-w-1 -translate-y-1/2 rounded-[2px] border border-dashed border-line-strong bg-fill"
              />
            ))}
          </Lane>
        )}
        <Lane label={KIND_NAMES.event()}>
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
        <Lane label={KIND_NAMES.answer()}>
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
              dir="auto"
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
      <span className="absolute top-1/2 -ms-25 w-25 -translate-y-1/2 pe-1 leading-4 wrap-anywhere text-ink-2">
        {label}
      </span>
      <span className="absolute inset-x-0 top-1/2 h-px bg-line" />
      {children}
    </div>
  );
}
