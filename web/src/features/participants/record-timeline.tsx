import type { ParticipantRecord } from '@invigil/core/contract/participants';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Moment } from './moment.tsx';
import { eventWords, sinceStart } from './record-events.ts';

const FIRST = 50;

/** What happened, oldest first: time since the start, clock, words. */
export function RecordTimeline({ record }: { record: ParticipantRecord }) {
  const [all, setAll] = useState(false);
  const events = [...record.events].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const shown = all ? events : events.slice(0, FIRST);
  return (
    <Card title="Timeline" aside={<p className="text-sm text-ink-3">Time since the start</p>}>
      {events.length === 0 ? (
        <p className="px-5 py-4 text-ink-2">Nothing was recorded.</p>
      ) : (
        <ol className="px-5 py-4 tabular-nums">
          {shown.map((event, index) => (
            <li
              // Two events may read the same; their place in the list tells them apart.
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
              key={`${event.at} ${index}`}
              className="relative grid grid-cols-[3.75rem_1rem_minmax(0,1fr)] items-start gap-x-2 pb-4 last:pb-0"
            >
              <span className="text-right text-sm leading-5 text-ink-2">
                {sinceStart(record.participant.startedAt, event.at) ?? 'before'}
              </span>
              <span aria-hidden="true" className="relative grid justify-center self-stretch">
                <span className="absolute top-1.5 -bottom-5.5 left-1/2 w-px bg-line-2 [li:last-child>span>&]:hidden" />
                <span
                  data-shape=""
                  className={`relative mt-1 size-3 rounded-full border-[1.5px] ${event.kind === 'ended' ? 'border-accent bg-accent' : 'border-line-strong bg-surface'}`}
                />
              </span>
              <span className="flex min-w-0 flex-wrap justify-between gap-x-3">
                <span className="break-words">{eventWords(event)}</span>
                <span className="text-sm text-ink-3">
                  <Moment at={event.at} />
                </span>
              </span>
            </li>
          ))}
        </ol>
      )}
      {shown.length < events.length && (
        <div className="border-t border-line px-5 py-3">
          <Button
            size="dense"
            onClick={() => setAll(true)}
          >{`Show all ${events.length} events`}</Button>
        </div>
      )}
    </Card>
  );
}
