import { useEffect, useEffectEvent, useState } from 'react';
import { pauseUntilOnline } from './retry.ts';

/** Shortest pause before the next try, after no response; up to twice that, or all would come at once. */
const AGAIN_MS = 4_000;

/** Tries something again and again while there is no response, and as soon as the browser is online again. */
export function useKeepTrying(again: () => Promise<void>): {
  isTrying: boolean;
  /** After each answer, and where the person no longer wants it: there is nothing to repeat. */
  stop(): void;
  /** After no response. */
  tryAgain(): void;
} {
  const [isTrying, setTrying] = useState(false);
  const tryOnce = useEffectEvent(again);
  useEffect(() => {
    if (!isTrying) return;
    const over = new AbortController();
    const keepTrying = async () => {
      await pauseUntilOnline(AGAIN_MS * (1 + Math.random()), over.signal);
      if (over.signal.aborted) return;
      await tryOnce();
      void keepTrying();
    };
    void keepTrying();
    return () => over.abort();
  }, [isTrying]);
  return { isTrying, stop: () => setTrying(false), tryAgain: () => setTrying(true) };
}
