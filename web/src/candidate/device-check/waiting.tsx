import { t } from '@invigil/core/texts/i18n';
import { useEffect } from 'react';
import { clockText, zoneName } from '../../lib/format.ts';
import { momentText } from '../../lib/moment-text.ts';
import { Notice } from '../../ui/notice.tsx';
import { Trans } from '../../ui/trans.tsx';
import { type Opening, useOpening } from './use-opening.ts';

const DAY_MS = 86_400_000;

/**
 * Shows when the assessment opens, in the reader's time zone and the institution's, and how long that is.
 * Counts by the server's clock, and follows when the opening is moved.
 *
 * @param onChange is told whether it is open, each time that changes
 */
export default function Waiting({
  first,
  onChange,
}: {
  first: Opening;
  onChange(isOpen: boolean): void;
}) {
  const { opening, leftMs } = useOpening(first);
  const isOpen = leftMs === 0;
  useEffect(() => onChange(isOpen), [isOpen, onChange]);
  if (isOpen)
    return (
      <p role="status" className="sr-only">
        {t('deviceCheck.waiting.isOpen', 'The assessment is open. You can start.')}
      </p>
    );
  return (
    <div className="mt-4">
      <Notice tone="accent" role="status" title={opensText(opening)}>
        {t('deviceCheck.waiting.lead', 'You can do everything on this page already.')}{' '}
        <Unlocks leftMs={leftMs} />
      </Notice>
    </div>
  );
}

const opensText = ({ opensAt, timeZone }: Opening) =>
  opensAt === null
    ? t(/* the assessment */ 'deviceCheck.waiting.opensSoon', 'Opens soon')
    : t(
        /* the assessment. moment: a day and time with its time zone */ 'deviceCheck.waiting.opens',
        'Opens {moment}',
        { moment: momentText(opensAt, zoneName(), timeZone) },
      );

/** The time left is counted in days, then as `3:07:09`, `07:09`; the last second is 1. */
function Unlocks({ leftMs }: { leftMs: number }) {
  const components = { countdown: <span aria-hidden className="tabular-nums" /> };
  return leftMs >= 2 * DAY_MS ? (
    <Trans
      id="deviceCheck.waiting.unlocksInDays"
      comment="The part in “countdown” is not heard by users of screen readers"
      message="{days, plural, one {The button unlocks by itself<countdown> in # day</countdown>.} other {The button unlocks by itself<countdown> in # days</countdown>.}}"
      values={{ days: Math.floor(leftMs / DAY_MS) }}
      components={components}
    />
  ) : (
    <Trans
      id="deviceCheck.waiting.unlocks"
      comment="time: hours, minutes and seconds. The part in “countdown” is not heard by users of screen readers"
      message="The button unlocks by itself<countdown> in {time}</countdown>."
      values={{ time: clockText(leftMs) }}
      components={components}
    />
  );
}
