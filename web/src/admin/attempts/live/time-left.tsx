import type { LiveAttempt } from '@invigil/core/contract/review/live';
import { t } from '@invigil/core/texts/i18n';
import { type ReactElement, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { clockText } from '../../../lib/format.ts';
import { shortDuration } from '../../../lib/portal-times.ts';
import { Trans } from '../../../ui/trans.tsx';
import { onEachSecond, watchVisible, wholeSecond } from './board-hooks.ts';

/** Counts down on its own, so that its parent is not rendered again; it stands still in a pause. */
export function TimeLeft({
  attempt: { pause, remainingMs },
  endsAt,
  clockOffsetMs,
}: {
  attempt: Pick<LiveAttempt, 'pause' | 'remainingMs'>;
  endsAt: number;
  clockOffsetMs: number;
}) {
  const text = (now: number) =>
    t(/* of an assessment. time: “45:10” */ 'live.timeLeft', '{time} left', {
      time: clockText(pause === undefined ? endsAt - now : remainingMs),
    });
  return <Running text={text} clockOffsetMs={clockOffsetMs} />;
}

/** Elapsed time: `12 s`, `1 min 20 s`. */
export function Lasting({ since, clockOffsetMs }: { since: string; clockOffsetMs: number }) {
  const from = Date.parse(since);
  return <Running text={(now) => lastingText(now - from)} clockOffsetMs={clockOffsetMs} />;
}

/** `Face not detected, 12 s ago` */
export const Ago = (values: { what: string; time: ReactElement }) => (
  <Trans
    id="live.ago"
    comment="what: was detected. time: “1 min 20 s”"
    message="{what}, {time} ago"
    values={values}
  />
);

/** Off-screen countdowns matter only to screen readers, and lag by at most this many seconds. */
const OUT_OF_SIGHT_SECONDS = 10;
let places = 0;

/**
 * A text that follows the server's time. It is written to the DOM without React after the first render,
 * and every second only while visible: five hundred updates per second would be one long task.
 */
function Running({
  text,
  clockOffsetMs,
}: {
  text: (serverMs: number) => string;
  clockOffsetMs: number;
}) {
  const span = useRef<HTMLSpanElement>(null);
  const [first] = useState(() => text(wholeSecond() + clockOffsetMs));
  const show = useRef<(nowMs: number) => void>(() => undefined);
  useLayoutEffect(() => {
    show.current = (nowMs) => {
      const node = span.current?.firstChild;
      const now = text(nowMs + clockOffsetMs);
      if (node && node.nodeValue !== now) node.nodeValue = now;
    };
    show.current(wholeSecond());
  });
  useEffect(() => {
    if (span.current === null) return;
    places += 1;
    const place = places;
    let isIn = true;
    const stopWatching = watchVisible(span.current, (now) => {
      isIn = now;
      if (isIn) show.current(wholeSecond());
    });
    const endSeconds = onEachSecond((nowMs) => {
      const isTurn = (Math.round(nowMs / 1_000) + place) % OUT_OF_SIGHT_SECONDS === 0;
      if (isIn || isTurn) show.current(nowMs);
    });
    return () => {
      stopWatching();
      endSeconds();
    };
  }, []);
  return <span ref={span}>{first}</span>;
}

export const lastingText = (ms: number): string =>
  shortDuration(Math.max(0, Math.floor(ms / 1_000)));
