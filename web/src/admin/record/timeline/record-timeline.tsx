import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ENTRY_KINDS, type EntryKind, type TimelineEntry, timelineOf } from '../record-events.ts';
import { RecordLanes } from './record-lanes.tsx';
import { TimelineEntryRow } from './timeline-entry.tsx';

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
