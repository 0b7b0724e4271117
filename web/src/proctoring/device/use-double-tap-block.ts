import { useEffect } from 'react';
import { thisDevice } from './device-kind.ts';
import { blockDoubleTaps } from './double-tap.ts';

/** Blocks double taps on iOS (seed 9) while a candidate's screen is shown. */
export function useDoubleTapBlock(): void {
  useEffect(() => {
    if (!thisDevice().ios) return;
    const ended = new AbortController();
    blockDoubleTaps(document, ended.signal);
    return () => ended.abort();
  }, []);
}
