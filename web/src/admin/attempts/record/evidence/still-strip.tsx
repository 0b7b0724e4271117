import type { Evidence } from '@invigil/core/contract/attempts/evidence-views';
import { t } from '@invigil/core/texts/i18n';
import { useState } from 'react';
import { offsetText, type PlacedStill, runningText, stillsOf } from './still-places.ts';

/**
 * Stills before and after a violation as a film strip. One is large; that of the violation is marked and
 * shown first. Periodic stills show the attempt's elapsed time and start with the first.
 */
export function StillStrip({
  evidence,
  momentAt,
  isBetween = false,
}: {
  evidence: readonly Evidence[];
  momentAt: string;
  isBetween?: boolean;
}) {
  const stills = stillsOf(evidence, momentAt);
  const words = isBetween ? BETWEEN : AROUND;
  const [selected, setSelected] = useState<number | null>(null);
  const shown = stills[selected ?? (isBetween ? 0 : stills.findIndex(({ isMoment }) => isMoment))];
  if (shown === undefined)
    return (
      <p className="text-sm text-ink-3">
        {t(/* photos of the camera */ 'record.stills.none', 'There are no stills.')}
      </p>
    );
  return (
    <div className="grid gap-3">
      <figure className="grid w-fit max-w-full gap-1">
        <Picture still={shown} className="w-80 max-w-full" />
        <figcaption className="text-sm text-ink-2 tabular-nums" aria-live="polite">
          {words.caption(shown)}
        </figcaption>
      </figure>
      <ol
        aria-label={t(/* photos of the camera */ 'record.stills.label', 'Stills')}
        className="grid grid-cols-[repeat(auto-fill,minmax(5.25rem,1fr))] gap-1.5"
      >
        {stills.map((still, index) => (
          <li key={still.offsetMs}>
            <button
              type="button"
              aria-pressed={still === shown}
              aria-label={words.caption(still)}
              onClick={() => setSelected(index)}
              className={`relative block w-full overflow-hidden rounded-md border-2 ${still.isMoment && !isBetween ? 'border-warn-edge' : 'border-line'} aria-pressed:border-accent`}
            >
              <Picture still={still} className="w-full" />
              <span
                aria-hidden="true"
                className="absolute bottom-0 inset-s-0 rounded-se-md bg-raised px-1 text-xs text-ink tabular-nums"
              >
                {words.mark(still)}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

interface StillText {
  caption(still: PlacedStill): string;
  mark(still: PlacedStill): string;
}

const AROUND: StillText = {
  caption: (still) =>
    still.isMoment
      ? t('record.stills.moment', 'The moment of detection')
      : t(
          /* offset: “−3 s”, “+4 s”; the moment of detection */ 'record.stills.offset',
          '{offset} from the moment',
          {
            offset: offsetText(still.offsetMs),
          },
        ),
  mark: (still) =>
    still.isMoment
      ? t(/* short: the moment of detection */ 'record.stills.momentMark', 'moment')
      : offsetText(still.offsetMs),
};

const BETWEEN: StillText = {
  caption: ({ offsetMs }) =>
    t(/* of the attempt. time: “12:04” */ 'record.stills.afterStart', '{time} after the start', {
      time: runningText(offsetMs),
    }),
  mark: ({ offsetMs }) => runningText(offsetMs),
};

function Picture({ still, className }: { still: PlacedStill; className: string }) {
  return (
    <img
      // Described by the button or the caption.
      alt=""
      width={320}
      height={240}
      src={`data:image/jpeg;base64,${still.jpeg}`}
      className={`aspect-4/3 h-auto rounded-md bg-sunken object-cover ${className}`}
    />
  );
}
