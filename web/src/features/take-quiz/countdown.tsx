import { SCREEN_LIMITS } from '@invigil/core/domain/limits';
import { type ReactNode, useEffect, useRef, useState } from 'react';

const SECONDS = SCREEN_LIMITS.autoLogoutSeconds;
const CIRCUMFERENCE = 2 * Math.PI * 19;

/** Counts from 5 to 0 while `running`, then calls `onOver` once (seed 9). */
export function useCountdown(running: boolean, onOver: () => void): number {
  const [left, setLeft] = useState<number>(SECONDS);
  const over = useRef(onOver);
  over.current = onOver;
  useEffect(() => {
    if (!running) return;
    if (left === 0) return over.current();
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [running, left]);
  return left;
}

/** The ring that empties, and what will happen. */
export function Countdown({ left, children }: { left: number; children: ReactNode }) {
  return (
    <div className="flex items-center gap-4">
      <span aria-hidden="true" className="relative grid flex-none place-items-center">
        <svg
          width="44"
          height="44"
          viewBox="0 0 44 44"
          fill="none"
          aria-hidden="true"
          data-shape=""
        >
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
      <div className="grid min-w-0 gap-0.5 text-ink-2">{children}</div>
    </div>
  );
}
