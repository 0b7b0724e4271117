import type { ParticipantRecord } from '@invigil/core/contract/participants';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Moment } from './moment.tsx';
import { sinceStart, type TimelineEntry, timelineOf } from './record-events.ts';
import { RecordLanes } from './record-lanes.tsx';

const FIRST = 50;

/** What happened, oldest first: time since the start, clock, words, and by whom and why. */
export function RecordTimeline({ record }: { record: ParticipantRecord }) {
  const [all, setAll] = useState(false);
  const entries = timelineOf(record);
  const shown = all ? entries : entries.slice(0, FIRST);
  return (
    <Card title="Timeline" aside={<p className="text-sm text-ink-3">Time since the start</p>}>
      <RecordLanes record={record} entries={entries} />
      {entries.length === 0 ? (
        <p className="px-5 py-4 text-ink-2">Nothing was recorded.</p>
      ) : (
        <ol className="px-5 py-4 tabular-nums">
          {shown.map((entry, index) => (
            <Entry
              // Two entries may read the same; their place in the list tells them apart.
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
              key={`${entry.at} ${index}`}
              entry={entry}
              startedAt={record.participant.startedAt}
              isDismissed={record.participant.status === 'dismissed'}
            />
          ))}
        </ol>
      )}
      {shown.length < entries.length && (
        <div className="border-t border-line px-5 py-3">
          <Button
            size="dense"
            onClick={() => setAll(true)}
          >{`Show all ${entries.length} events`}</Button>
        </div>
      )}
    </Card>
  );
}

function Entry({
  entry,
  startedAt,
  isDismissed,
}: {
  entry: TimelineEntry;
  startedAt: string;
  isDismissed: boolean;
}) {
  const { at, words, isEnd, by } = entry;
  const dot = !isEnd
    ? 'border-line-strong bg-surface'
    : isDismissed
      ? 'border-bad bg-bad'
      : 'border-accent bg-accent';
  return (
    <li className="relative grid grid-cols-[3.75rem_1rem_minmax(0,1fr)] items-start gap-x-2 pb-4 last:pb-0">
      <span className="text-right text-sm leading-5 text-ink-2">
        {sinceStart(startedAt, at) ?? 'before'}
      </span>
      <span aria-hidden="true" className="relative grid justify-center self-stretch">
        <span className="absolute top-1.5 -bottom-5.5 left-1/2 w-px bg-line-2 [li:last-child>span>&]:hidden" />
        <span data-shape="" className={`relative mt-1 size-3 rounded-full border-[1.5px] ${dot}`} />
      </span>
      <span className="min-w-0">
        <span className="flex flex-wrap justify-between gap-x-3">
          <span className="break-words">{words}</span>
          <span className="text-sm text-ink-3">
            <Moment at={at} />
          </span>
        </span>
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
