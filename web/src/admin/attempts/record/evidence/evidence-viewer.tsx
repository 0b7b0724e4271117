import type { EvidenceSummary } from '@invigil/core/contract/attempts/evidence-views';
import { t } from '@invigil/core/texts/i18n';
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
  if (isDeleted) {
    return <p className="text-sm text-ink-3">{EVIDENCE_TEXTS.deleted(evidenceKind(summaries))}</p>;
  }
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
          {open
            ? t(/* a button */ 'record.evidence.close', 'Close evidence')
            : EVIDENCE_TEXTS.open(evidenceKind(summaries))}
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
        {t('record.evidence.openingIt', 'Opening evidence...')}
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
        <p className="text-sm text-ink-3">
          {t(
            /* pieces of evidence */ 'record.evidence.unreadable',
            '{count, plural, one {# more can no longer be read.} other {# more can no longer be read.}}',
            { count: unreadable },
          )}
        </p>
      )}
      {error !== null && (
        <FailureNotice
          title={t('record.evidence.failed', 'Failed to open the evidence')}
          onRetry={more}
          retrying={isFetching}
        >
          {sentenceOf(error)}
        </FailureNotice>
      )}
      {hasNew && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <p role="status" className="text-sm text-ink-2">
            {t('record.evidence.moreArrived', 'More evidence has arrived since this was opened.')}
          </p>
          <Button
            size="dense"
            onClick={() => {
              // The button disappears: the focus moves to what it opens.
              box.current?.focus({ preventScroll: true });
              onOpen();
            }}
          >
            {t('record.evidence.openNew', 'Open new evidence')}
          </Button>
        </div>
      )}
      {error === null && hasMore && (
        <div>
          <Button
            size="dense"
            onClick={more}
            busy={isFetching && t('record.evidence.opening', 'Opening...')}
          >
            {t(/* evidence; a button */ 'record.evidence.openMore', 'Open more')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Evidence before anything of it is opened: `20 stills and level curve`. */
export interface EvidenceKind {
  kind: 'stills' | 'both' | 'levels' | 'other';
  /** How many stills. */
  count: number;
  [name: string]: string | number;
}

export function evidenceKind(summaries: readonly EvidenceSummary[]): EvidenceKind {
  const count = summaries.reduce((sum, summary) => sum + summary.stills, 0);
  const hasLevels = summaries.some((summary) => summary.hasLevels);
  const [withLevels, without] =
    count > 0 ? (['both', 'stills'] as const) : (['levels', 'other'] as const);
  return { kind: hasLevels ? withLevels : without, count };
}

/** Texts of buttons and lines about evidence that is not open. */
export const EVIDENCE_TEXTS = {
  deleted: (of: EvidenceKind) =>
    t(
      /* stills: photos of the camera. level curve: of the sound */ 'record.evidence.deleted',
      '{kind, select, stills {{count, plural, one {# still were deleted.} other {# stills were deleted.}}} both {{count, plural, one {# still and level curve were deleted.} other {# stills and level curve were deleted.}}} levels {level curve were deleted.} other {Evidence were deleted.}}',
      of,
    ),
  open: (of: EvidenceKind) =>
    t(
      /* a button. stills: photos of the camera. level curve: of the sound */ 'record.evidence.open',
      '{kind, select, stills {{count, plural, one {Open # still} other {Open # stills}}} both {{count, plural, one {Open # still and level curve} other {Open # stills and level curve}}} levels {Open level curve} other {Open evidence}}',
      of,
    ),
  show: (of: EvidenceKind) =>
    t(
      /* a button. stills: photos of the camera. level curve: of the sound */ 'record.evidence.showAgain',
      '{kind, select, stills {{count, plural, one {Show # still} other {Show # stills}}} both {{count, plural, one {Show # still and level curve} other {Show # stills and level curve}}} levels {Show level curve} other {Show evidence}}',
      of,
    ),
  close: (of: EvidenceKind) =>
    t(
      /* a button. stills: photos of the camera. level curve: of the sound */ 'record.evidence.closeAgain',
      '{kind, select, stills {{count, plural, one {Close # still} other {Close # stills}}} both {{count, plural, one {Close # still and level curve} other {Close # stills and level curve}}} levels {Close level curve} other {Close evidence}}',
      of,
    ),
};

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
        <span dir="auto">{offsetText(first.offsetMs)}</span>
        <span dir="auto">{offsetText(last.offsetMs)}</span>
      </div>
      <figcaption className="text-sm text-ink-2">
        {t(
          /* at: when it was loudest, “+4 s” */ 'record.levels.caption',
          'Sound level: at most {most} of {top}, at {at}. 0 is the quiet room.',
          { most: Math.round(loudest.value), top: TOP, at: offsetText(loudest.offsetMs) },
        )}
      </figcaption>
    </figure>
  );
}
