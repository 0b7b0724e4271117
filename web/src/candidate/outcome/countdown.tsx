import { SCREEN_LIMITS } from '@invigil/core/domain/limits';
import { t } from '@invigil/core/texts/i18n';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import type { Leaving } from '../use-leaving.ts';
import { returnToLogin } from './outcome-texts.ts';

const SECONDS = SCREEN_LIMITS.autoLogoutSeconds;
const CIRCUMFERENCE = 2 * Math.PI * 19;

export interface LeavingCountdown {
  left: number;
  /** Stops the countdown to continue reading (WCAG 2.2.1). */
  held: boolean;
  signedOut: boolean;
  hold(): void;
  /** Stays on the page, signed out, so that the next user of the machine has no access. */
  stay(): void;
  leave(): void;
}

/**
 * Counts from 5 to 0 while `running`, then leaves once (specification 9), unless held. A page that must be read
 * first stays open, signed out. Touching the page pauses it.
 */
export function useCountdown(
  running: boolean,
  { leave, end }: Leaving,
  { mustBeRead = false } = {},
): LeavingCountdown {
  const [left, setLeft] = useState<number>(SECONDS);
  const [held, setHeld] = useState(false);
  const [signedOut, setSignedOut] = useState(false);
  const hold = () => setHeld(true);
  const stay = () => {
    hold();
    void end().then(() => setSignedOut(true));
  };
  const over = useRef(stay);
  over.current = mustBeRead ? stay : () => void leave();
  const touchedAt = useTouch(running && !held);
  useEffect(() => {
    if (!running || held) return;
    if (left === 0) return over.current();
    const pausedMs = touchedAt + SCREEN_LIMITS.touchedPauseMs - performance.now();
    const timer = setTimeout(() => setLeft(left - 1), Math.max(1_000, pausedMs));
    return () => clearTimeout(timer);
  }, [running, held, left, touchedAt]);
  return { left, held, signedOut, hold, stay, leave: () => void leave() };
}

const TOUCHES = ['pointerdown', 'keydown', 'wheel', 'touchmove', 'scroll', 'focusin'] as const;

/** When the page was last used, in milliseconds of its monotonic clock: someone is reading it. */
function useTouch(isWatched: boolean): number {
  const [touchedAt, setTouchedAt] = useState(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (!isWatched) return;
    const over = new AbortController();
    const touch = () => setTouchedAt(performance.now());
    for (const type of TOUCHES) {
      window.addEventListener(type, touch, { signal: over.signal, passive: true });
    }
    return () => over.abort();
  }, [isWatched]);
  return touchedAt;
}

export function Countdown({
  countdown: { left, held, signedOut, stay, leave },
  canReturn = false,
  children,
}: {
  countdown: LeavingCountdown;
  /** Shows the exit button from the start. */
  canReturn?: boolean;
  children: ReactNode;
}) {
  const returnButton = (
    <Button size="candidate" onClick={leave}>
      {returnToLogin()}
    </Button>
  );
  if (held) {
    return (
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p role="status" className="text-ink-2">
          {signedOut && `${t('countdown.signedOut', 'You are signed out.')} `}
          {t('countdown.staysOpen', 'This page stays open until you leave it.')}
        </p>
        {returnButton}
      </div>
    );
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="flex min-w-0 flex-1 basis-72 items-center gap-4">
        <Ring left={left} />
        <div className="grid min-w-0 gap-0.5 text-ink-2">{children}</div>
      </div>
      <span className="ms-auto flex flex-wrap justify-end gap-3">
        {left > 0 && (
          <Button size="candidate" variant={canReturn ? 'ghost' : 'secondary'} onClick={stay}>
            {t(/* a button: on this page */ 'countdown.stay', 'Stay here')}
          </Button>
        )}
        {canReturn && returnButton}
      </span>
    </div>
  );
}

function Ring({ left }: { left: number }) {
  return (
    <span aria-hidden="true" className="relative grid flex-none place-items-center">
      <svg width="44" height="44" viewBox="0 0 44 44" fill="none" aria-hidden="true" data-shape="">
        <circle cx="22" cy="22" r="19" strokeWidth="3.5" className="stroke-line" />
        <circle
          cx="22"
          cy="22"
          r="19"
          strokeWidth="3.5"
          strokeLinecap="round"
          strokeDasharray={CIRCUMFERENCE}
          strokeDashoffset={CIRCUMFERENCE * (1 - left / SECONDS)}
          transform="rotate(-90 22 22)"
          className="stroke-accent transition-[stroke-dashoffset] motion-reduce:transition-none"
        />
      </svg>
      <b className="absolute font-semibold">{left}</b>
    </span>
  );
}
