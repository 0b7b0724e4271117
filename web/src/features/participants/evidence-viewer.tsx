import type { EvidenceSummary } from '@invigil/core/contract/evidence-views';
import { useId, useState } from 'react';
import { sentenceOf } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { LevelCurve } from './level-curve.tsx';
import { useEvidence } from './record-api.ts';
import { levelsOf } from './still-places.ts';
import { StillStrip } from './still-strip.tsx';

/** Opens the stills and the level curve of one moment, when asked to. */
export function EvidenceViewer({
  summaries,
  momentAt,
  isDeleted,
}: {
  summaries: readonly EvidenceSummary[];
  momentAt: string;
  isDeleted: boolean;
}) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const what = whatIsThere(summaries);
  if (isDeleted) return <p className="text-sm text-ink-3">{`${what} were deleted.`}</p>;
  return (
    <div className="grid gap-3">
      <div>
        <Button size="dense" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          {open ? 'Close evidence' : `Open ${what.toLowerCase()}`}
        </Button>
      </div>
      <div id={id} hidden={!open}>
        {open && <Opened summaries={summaries} momentAt={momentAt} />}
      </div>
    </div>
  );
}

function Opened({
  summaries,
  momentAt,
}: {
  summaries: readonly EvidenceSummary[];
  momentAt: string;
}) {
  const { evidence, error, isPending, isFetching, again } = useEvidence(summaries);
  if (error !== null) {
    return (
      <FailureNotice title="Failed to open the evidence" onRetry={again} retrying={isFetching}>
        {sentenceOf(error)}
      </FailureNotice>
    );
  }
  if (isPending) {
    return (
      <p role="status" className="flex items-center gap-2 text-sm text-ink-2">
        <Spinner />
        Opening evidence...
      </p>
    );
  }
  const bars = levelsOf(evidence, momentAt);
  const hasStills = evidence.some(({ stills }) => stills.length > 0);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {hasStills && <StillStrip evidence={evidence} momentAt={momentAt} />}
      {bars.length > 0 && <LevelCurve bars={bars} />}
    </div>
  );
}

/** `20 stills and level curve`, before anything is opened. */
function whatIsThere(summaries: readonly EvidenceSummary[]): string {
  const stills = summaries.reduce((sum, summary) => sum + summary.stills, 0);
  const parts: string[] = [];
  if (stills > 0) parts.push(`${stills} still${stills === 1 ? '' : 's'}`);
  if (summaries.some(({ hasLevels }) => hasLevels)) parts.push('level curve');
  return parts.join(' and ') || 'Evidence';
}
