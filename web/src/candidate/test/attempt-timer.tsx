import { useEffect, useRef, useState } from 'react';
import { clockText, phaseOf, spokenTime } from '../attempt/attempt-clock.ts';
import { currentAttempt, useSecondsLeft } from '../current-attempt.ts';

const PHASES = {
  calm: 'border-line-2 bg-surface text-ink [&_svg]:text-ink-2',
  short: 'border-warn-edge bg-warn text-on-warn',
  last: 'border-bad bg-bad text-on-bad animate-last-minutes motion-reduce:animate-none',
} as const;

/** The countdown as pie and text. Announced only at 10, 5 and 1 minutes, 30 and 10 seconds. */
export function AttemptTimer() {
  const seconds = useSecondsLeft();
  const spoken = useSpokenTime(seconds);
  if (seconds === null) return null;
  const totalMs = currentAttempt.totalMs;
  const text = clockText(seconds * 1_000);
  return (
    <>
      <span
        role="timer"
        aria-label={`Time left ${text}`}
        className={`inline-flex h-9 flex-none items-center gap-2 rounded-md border pr-3 pl-2.5 text-[1.25rem] leading-none font-semibold max-[359px]:gap-1 max-[359px]:px-2 max-[359px]:text-md lg:h-10 ${PHASES[phaseOf(seconds * 1_000, totalMs)]}`}
      >
        <TimePie share={Math.min(1, (seconds * 1_000) / totalMs)} />
        <span>{text}</span>
      </span>
      <span role="status" className="sr-only">
        {spoken}
      </span>
    </>
  );
}

/** The remaining sector of a circle, from twelve o'clock on. */
function TimePie({ share }: { share: number }) {
  const angle = share * 2 * Math.PI;
  const [x, y] = [11 - 6.2 * Math.sin(angle), 11 - 6.2 * Math.cos(angle)];
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" fill="none" aria-hidden="true" data-shape="">
      <circle cx="11" cy="11" r="9" stroke="currentColor" strokeWidth="1.75" />
      {share >= 0.999 ? (
        <circle cx="11" cy="11" r="6.2" fill="currentColor" />
      ) : (
        <path
          d={`M11 11V4.8A6.2 6.2 0 ${share > 0.5 ? 1 : 0} 0 ${x.toFixed(2)} ${y.toFixed(2)}z`}
          fill="currentColor"
        />
      )}
    </svg>
  );
}

function useSpokenTime(seconds: number | null): string {
  const before = useRef(seconds);
  const [spoken, setSpoken] = useState('');
  useEffect(() => {
    const earlier = before.current;
    before.current = seconds;
    if (earlier === null || seconds === null) return;
    const words = spokenTime(earlier * 1_000, seconds * 1_000);
    if (words !== null) setSpoken(words);
  }, [seconds]);
  return spoken;
}
