import { Moment } from '../moment.tsx';
import { type EntryKind, sinceStart, type TimelineEntry } from '../record-events.ts';

/** Shape and color of a type; redundant with its text. */
const DOTS: Record<EntryKind, string> = {
  violation: 'rounded-full border-warn-edge bg-warn',
  signal: 'rounded-full border-line-strong bg-surface',
  connection: 'rounded-[2px] border-line-strong border-dashed bg-surface',
  event: 'rounded-full border-line-strong bg-fill',
  answer: 'rounded-[2px] border-chart bg-chart',
};

/** One entry of the timeline: time since the start, text, time of day, by whom and why. */
export function TimelineEntryRow({
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
