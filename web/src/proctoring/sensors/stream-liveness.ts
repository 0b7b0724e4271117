import { SCREEN_LIMITS } from '@invigil/core/domain/limits';

/** Whether a stream still delivers: a track of it is live. */
function isLive(stream: MediaStream): boolean {
  return stream.getTracks().some((track) => track.readyState === 'live');
}

/** Looks every 2 s (seed 4) whether the stream is still there; tells once when it is not. */
export function watchLiveness(stream: MediaStream, onLost: () => void, signal: AbortSignal): void {
  const timer = setInterval(() => {
    if (isLive(stream)) return;
    clearInterval(timer);
    onLost();
  }, SCREEN_LIMITS.streamCheckMs);
  signal.addEventListener('abort', () => clearInterval(timer));
}
