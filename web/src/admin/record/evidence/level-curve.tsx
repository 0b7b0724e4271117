import { type LevelBar, offsetText } from './still-places.ts';

const TOP = 120;

/** The sound level around a violation as bars, 0 (the quiet room) to 120, with a text below. */
export function LevelCurve({ bars }: { bars: readonly LevelBar[] }) {
  const first = bars[0];
  const last = bars.at(-1);
  if (first === undefined || last === undefined) return null;
  const loudest = bars.reduce((most, bar) => (bar.value > most.value ? bar : most), first);
  const length = Math.max(1, last.offsetMs - first.offsetMs);
  const moment = (-first.offsetMs / length) * 100;
  return (
    <figure className="grid gap-1 tabular-nums">
      <div
        aria-hidden="true"
        data-shape=""
        className="relative flex h-20 items-end gap-px border-b border-line-2"
      >
        {bars.map(({ offsetMs, value }) => (
          <span
            key={offsetMs}
            className="min-w-0 flex-1 rounded-t-[1px] bg-chart"
            style={{ height: `${Math.max(1, (value / TOP) * 100)}%` }}
          />
        ))}
        {moment >= 0 && moment <= 100 && (
          <span
            style={{ insetInlineStart: `${moment}%` }}
            className="absolute inset-y-0 w-0.5 bg-warn-edge"
          />
        )}
      </div>
      <div aria-hidden="true" className="flex justify-between text-xs text-ink-3">
        <span>{offsetText(first.offsetMs)}</span>
        <span>{offsetText(last.offsetMs)}</span>
      </div>
      <figcaption className="text-sm text-ink-2">
        {`Sound level: at most ${Math.round(loudest.value)} of ${TOP}, at ${offsetText(loudest.offsetMs)}. 0 is the quiet room.`}
      </figcaption>
    </figure>
  );
}
