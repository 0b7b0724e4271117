import { SCREEN_LIMITS } from '@invigil/core/domain/limits';

/** Whether any track of a stream is live. */
function isLive(stream: MediaStream): boolean {
  return stream.getTracks().some((track) => track.readyState === 'live');
}

/** Checks every 2 s (seed 4) whether the stream is live; reports its loss once. */
export function watchLiveness(stream: MediaStream, onLost: () => void, signal: AbortSignal): void {
  const timer = setInterval(() => {
    if (isLive(stream)) return;
    clearInterval(timer);
    onLost();
  }, SCREEN_LIMITS.streamCheckMs);
  signal.addEventListener('abort', () => clearInterval(timer));
}
