import { useServerNow } from './ticker.ts';

/** `18:24`, above an hour `1:02:03`; never below zero. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const two = (n: number) => String(n).padStart(2, '0');
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return seconds < 3_600 ? rest : `${Math.floor(seconds / 3_600)}:${rest}`;
}

/** Counts down by itself, so that nothing around it is drawn again. */
export function TimeLeft({ endsAt, clockOffsetMs }: { endsAt: number; clockOffsetMs: number }) {
  const now = useServerNow(clockOffsetMs);
  return <span>{`${clockText(endsAt - now)} left`}</span>;
}

/** How long something has lasted: `12 s`, `1 min 20 s`. */
export function Lasting({ since, clockOffsetMs }: { since: string; clockOffsetMs: number }) {
  const now = useServerNow(clockOffsetMs);
  return <span>{lastingText(now - Date.parse(since))}</span>;
}

export function lastingText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
}
