import type { EvidenceSummary } from '@invigil/core/contract/attempts/evidence-views';
import { useId, useRef, useState } from 'react';
import { sentenceOf } from '../../../../net/api.ts';
import { Button } from '../../../../ui/button.tsx';
import { FailureNotice } from '../../../../ui/failure-notice.tsx';
import { Spinner } from '../../../../ui/spinner.tsx';
import { type EvidenceOf, useEvidence } from '../../../data/record.ts';
import { type LevelBar, levelsOf, offsetText } from './still-places.ts';
import { StillStrip } from './still-strip.tsx';

export function EvidenceViewer({
  of,
  summaries,
  momentAt,
  isDeleted,
}: {
  of: EvidenceOf;
  summaries: readonly EvidenceSummary[];
  momentAt: string;
  isDeleted: boolean;
}) {
  const [open, setOpen] = useState(false);
  const uploads = summaries.map((one) => one.id);
  const [opened, setOpened] = useState(uploads);
  const id = useId();
  const what = evidenceSummary(summaries);
  if (isDeleted) return <p className="text-sm text-ink-3">{`${what} were deleted.`}</p>;
  return (
    <div className="grid gap-3">
      <div>
        <Button
          size="dense"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => {
            if (!open) setOpened(uploads);
            setOpen(!open);
          }}
        >
          {open ? 'Close evidence' : `Open ${what.toLowerCase()}`}
        </Button>
      </div>
      <div id={id} hidden={!open}>
        {open && (
          <OpenedEvidence
            of={of}
            uploads={uploads}
            opened={opened}
            onOpen={() => setOpened(uploads)}
            momentAt={momentAt}
          />
        )}
      </div>
    </div>
  );
}

/**
 * The evidence at the time of opening. A running attempt adds to it, often every half minute: more is
 * opened only on request, because each view is logged.
 */
export function OpenedEvidence({
  of,
  uploads,
  opened,
  onOpen,
  momentAt,
}: {
  of: EvidenceOf;
  uploads: readonly string[];
  opened: readonly string[];
  onOpen(): void;
  momentAt: string;
}) {
  const box = useRef<HTMLDivElement>(null);
  const { evidence, unreadable, error, isPending, isFetching, hasMore, more } = useEvidence(
    of,
    opened,
  );
  if (isPending) {
    return (
      <p role="status" className="flex items-center gap-2 text-sm text-ink-2">
        <Spinner />
        Opening evidence...
      </p>
    );
  }
  const shown = new Set([...opened, ...evidence.map((one) => one.id)]);
  // "Open more" includes newer uploads.
  const hasNew = !hasMore && uploads.some((id) => !shown.has(id));
  const bars = levelsOf(evidence, momentAt);
  const hasStills = evidence.some(({ stills }) => stills.length > 0);
  const isBetween = of.violationId === null;
  return (
    <div ref={box} tabIndex={-1} className="grid grid-cols-[minmax(0,1fr)] gap-4 outline-none">
      {hasStills && <StillStrip evidence={evidence} momentAt={momentAt} isBetween={isBetween} />}
      {bars.length > 0 && <LevelCurve bars={bars} />}
      {unreadable > 0 && (
        <p className="text-sm text-ink-3">{`${unreadable} more can no longer be read.`}</p>
      )}
      {error !== null && (
        <FailureNotice title="Failed to open the evidence" onRetry={more} retrying={isFetching}>
          {sentenceOf(error)}
        </FailureNotice>
      )}
      {hasNew && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <p role="status" className="text-sm text-ink-2">
            More evidence has arrived since this was opened.
          </p>
          <Button
            size="dense"
            onClick={() => {
              // The button disappears: the focus moves to what it opens.
              box.current?.focus({ preventScroll: true });
              onOpen();
            }}
          >
            Open new evidence
          </Button>
        </div>
      )}
      {error === null && hasMore && (
        <div>
          <Button size="dense" onClick={more} busy={isFetching && 'Opening...'}>
            Open more
          </Button>
        </div>
      )}
    </div>
  );
}

/** `20 stills and level curve`, before anything is opened. */
export function evidenceSummary(summaries: readonly EvidenceSummary[]): string {
  const stills = summaries.reduce((sum, summary) => sum + summary.stills, 0);
  const parts: string[] = [];
  if (stills > 0) parts.push(`${stills} still${stills === 1 ? '' : 's'}`);
  if (summaries.some(({ hasLevels }) => hasLevels)) parts.push('level curve');
  return parts.join(' and ') || 'Evidence';
}

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
        dir="ltr"
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
      <div aria-hidden="true" dir="ltr" className="flex justify-between text-xs text-ink-3">
        <span>{offsetText(first.offsetMs)}</span>
        <span>{offsetText(last.offsetMs)}</span>
      </div>
      <figcaption className="text-sm text-ink-2">
        {`Sound level: at most ${Math.round(loudest.value)} of ${TOP}, at ${offsetText(loudest.offsetMs)}. 0 is the quiet room.`}
      </figcaption>
    </figure>
  );
}
