import { HALL_LIMITS } from '@invigil/core/domain/limits';
import { minutesText } from '@invigil/core/texts/amounts';
import { t } from '@invigil/core/texts/i18n';
import { TriangleAlert, Users } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { clockText, zoneName } from '../../lib/format.ts';
import { momentText } from '../../lib/moment-text.ts';
import { useFullscreen } from '../../proctoring/use-monitor.ts';
import { Notice } from '../../ui/notice.tsx';
import { type Opening, type TogetherState, togetherState, useOpening } from './use-opening.ts';
import { notStartedText } from './use-start.ts';

/**
 * Shows those who start together, before they are ready, when it is and what the button does; from then on how long
 * it is, and what is missing. Starts by itself, at a moment of its own within two seconds.
 *
 * @param waits the candidate is ready
 * @param onChange is told whether a start is possible, each time that changes
 * @param onStart starts where the page is in view and in fullscreen if that is needed
 */
export default function WaitingRoom({
  first,
  waits,
  fullscreen,
  onChange,
  onStart,
}: {
  first: Opening;
  waits: boolean;
  fullscreen: boolean;
  onChange(isOpen: boolean): void;
  onStart(): void;
}) {
  const followed = useOpening(first, waits);
  // A rule that was lifted meanwhile: whoever is ready starts, as the assessment is open.
  const state = togetherState(followed) ?? (followed.leftMs > 0 ? 'waits' : 'started');
  const isOpen = state === 'started';
  useEffect(() => onChange(isOpen), [isOpen, onChange]);
  const isFull = useFullscreen(fullscreen);
  const isPrepared = !fullscreen || isFull;
  useCommonStart(waits && isOpen && isPrepared, onStart);
  if (!waits && isOpen) {
    return (
      <p role="status" className="sr-only">
        {t('deviceCheck.waiting.isOpen', 'The assessment is open. You can start.')}
      </p>
    );
  }
  return (
    <div className="mt-4 grid gap-3">
      {waits ? (
        <Ready {...{ state, isPrepared }} {...followed} />
      ) : (
        <Notice
          tone={state === 'late' ? 'warn' : 'accent'}
          role="status"
          icon={<Users />}
          title={startsText(followed.opening, state)}
        >
          {t(
            /* the button: “I am ready” */ 'deviceCheck.together.lead',
            'Do everything on this page now. Then press the button: from then on you wait for the start with the others.',
          )}{' '}
          {state === 'late' ? laterText(followed.opening) : lateText(followed.opening)}
        </Notice>
      )}
      {!followed.isUp && (
        <Notice
          tone="warn"
          role="status"
          icon={<TriangleAlert />}
          title={t('deviceCheck.together.offline', 'No connection to the server')}
        >
          {t(
            /* it: the connection */ 'deviceCheck.together.reconnecting',
            'Stay on this page: it starts as soon as the connection is back.',
          )}
        </Notice>
      )}
    </div>
  );
}

/** Calls `onStart` a moment after the start came, and once more when the page is in view again. */
function useCommonStart(isDue: boolean, onStart: () => void): void {
  const start = useEffectEvent(onStart);
  const [spreadMs] = useState(() => Math.random() * HALL_LIMITS.spreadMs);
  useEffect(() => {
    if (!isDue) return;
    const over = new AbortController();
    const begin = () => {
      // Out of view nobody sees the first question, and the time would run.
      if (document.visibilityState === 'hidden') return;
      over.abort();
      start();
    };
    const timer = setTimeout(() => {
      document.addEventListener('visibilitychange', begin, over);
      begin();
    }, spreadMs);
    return () => {
      clearTimeout(timer);
      over.abort();
    };
  }, [isDue, spreadMs]);
}

/** Someone who is ready. */
function Ready({
  opening,
  leftMs,
  state,
  isPrepared,
}: {
  opening: Opening;
  leftMs: number;
  state: TogetherState;
  isPrepared: boolean;
}) {
  return (
    <>
      <section className="rounded-lg border border-line bg-surface px-5 py-6 text-center md:py-8">
        <p role="status" className="text-md font-semibold">
          {state === 'started'
            ? t('deviceCheck.together.started', 'The assessment has started.')
            : startsText(opening, state)}
        </p>
        {state === 'waits' && leftMs > 0 && (
          <p aria-hidden="true" className="mt-2 text-3xl font-semibold tabular-nums">
            {clockText(leftMs)}
          </p>
        )}
        <p className="mx-auto mt-3 max-w-[52ch] text-ink-2">
          {state === 'late'
            ? laterText(opening)
            : t(
                'deviceCheck.together.byItself',
                'Stay on this page: the first question comes by itself, and your time begins with it.',
              )}{' '}
          {notStartedText()}
        </p>
      </section>
      {!isPrepared && (
        <Notice
          tone="warn"
          role="status"
          icon={<TriangleAlert />}
          title={t('deviceCheck.together.notFullscreen', 'You have left fullscreen')}
        >
          {t(
            /* it: fullscreen */ 'deviceCheck.together.needsFullscreen',
            'The assessment needs it, so it does not start by itself. Use the button below.',
          )}
        </Notice>
      )}
    </>
  );
}

function startsText({ opensAt, timeZone, startTogether }: Opening, state: TogetherState): string {
  if (state === 'late')
    return t(
      /* to start the assessment */ 'deviceCheck.together.tooLate',
      'It is too late to start',
    );
  return startTogether?.by === 'time' && opensAt !== null
    ? t(
        /* moment: a day and time with its time zone */ 'deviceCheck.together.atTime',
        'Everyone starts together: {moment}',
        { moment: momentText(opensAt, zoneName(), timeZone) },
      )
    : t(
        'deviceCheck.together.byButton',
        'Everyone starts together, when the person in charge starts the assessment',
      );
}

/** Said before the start. */
function lateText({ startTogether }: Opening): string {
  if (startTogether === undefined) return '';
  return t(
    /* time: “15 minutes” */ 'deviceCheck.together.late',
    'If you are late, you can start until {time} after the others.',
    { time: minutesText(startTogether.lateMinutes * 60_000) },
  );
}

/** Said to those who came too late. */
function laterText({ startTogether }: Opening): string {
  return startTogether?.by === 'button'
    ? t(
        'deviceCheck.together.nextStart',
        'The others have started, and the time for those who are late is over. If the person in charge starts the assessment once more, you start too.',
      )
    : t(
        'deviceCheck.together.over',
        'The others have started, and the time for those who are late is over. Ask the person who invited you.',
      );
}
