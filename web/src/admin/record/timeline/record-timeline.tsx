import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import {
  ENTRY_KINDS,
  type EntryKind,
  sinceStart,
  type TimelineEntry,
  timelineOf,
} from '../record-events.ts';
import { Moment } from '../record-texts.tsx';
import { RecordLanes } from './record-lanes.tsx';

const FIRST = 50;

const KIND_NAMES: Record<EntryKind, string> = {
  violation: 'Violations',
  signal: 'Also recorded',
  connection: 'Connection',
  event: 'Events',
  answer: 'Answers',
};

/** A paper has up to a hundred answers; they are listed only on request. */
const AT_FIRST: readonly EntryKind[] = ['violation', 'signal', 'connection', 'event'];

/** Everything that happened, oldest first. */
export function RecordTimeline({ record }: { record: ParticipantRecord }) {
  const [all, setAll] = useState(false);
  const [kinds, setKinds] = useState<readonly EntryKind[]>(AT_FIRST);
  const entries = timelineOf(record);
  const found = entries.filter(({ kind }) => kinds.includes(kind));
  const shown = all ? found : found.slice(0, FIRST);
  const toggle = (kind: EntryKind) =>
    setKinds(kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind]);
  return (
    <Card title="Timeline" aside={<p className="text-sm text-ink-3">Time since the start</p>}>
      <RecordLanes record={record} entries={entries} />
      <KindFilter entries={entries} kinds={kinds} onToggle={toggle} />
      {found.length === 0 ? (
        <p className="px-5 py-4 text-ink-2">
          {entries.length === 0
            ? 'Nothing was recorded.'
            : 'No entries of these kinds were recorded.'}
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
          <Button
            size="dense"
            onClick={() => setAll(true)}
          >{`Show all ${found.length} entries`}</Button>
        </div>
      )}
    </Card>
  );
}

/** Filter of the list; types without entries are not offered. */
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
      aria-label="Show in the timeline"
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
          {`${KIND_NAMES[kind]} (${count})`}
        </button>
      ))}
    </div>
  );
}

/** Shape and color of a type; redundant with its text. */
const DOTS: Record<EntryKind, string> = {
  violation: 'rounded-full border-warn-edge bg-warn',
  signal: 'rounded-full border-line-strong bg-surface',
  connection: 'rounded-[2px] border-line-strong border-dashed bg-surface',
  event: 'rounded-full border-line-strong bg-fill',
  answer: 'rounded-[2px] border-chart bg-chart',
};

/** One entry of the timeline: time since the start, text, time of day, by whom and why. */
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
      <span className="text-right text-sm leading-5 text-ink-2">
        {sinceStart(startedAt, at) ?? 'before'}
      </span>
      <span aria-hidden="true" className="relative grid justify-center self-stretch">
        <span className="absolute top-1.5 -bottom-5.5 left-1/2 w-px bg-line-2 [li:last-child>span>&]:hidden" />
        <span
          data-shape=""
          className={`relative mt-1 size-3 border-[1.5px] ${isEnd ? `rounded-full ${end}` : isFatal ? 'rounded-full border-bad bg-bad' : DOTS[kind]}`}
        />
      </span>
      <span className="min-w-0">
        <span className="flex flex-wrap justify-between gap-x-3">
          <span className={`break-words ${kind === 'violation' ? 'font-medium' : ''}`}>
            {words}
            {isFatal && <span className="font-normal text-bad-ink">, ended the attempt</span>}
          </span>
          <span className="text-sm text-ink-3">
            <Moment at={at} />
          </span>
        </span>
        {lines.map((line) => (
          <span key={line} className="block text-sm break-words text-ink-2">
            {line}
          </span>
        ))}
        {by !== null && (
          <span className="block text-sm break-words text-ink-2">
            <span className="break-all">{by.adminEmail}</span>
            {by.reason !== null && `: ${by.reason}`}
          </span>
        )}
      </span>
    </li>
  );
}
