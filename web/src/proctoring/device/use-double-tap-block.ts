import { useEffect } from 'react';
import { thisDevice } from './device-kind.ts';
import { blockDoubleTaps } from './double-tap.ts';

/** The seed's double-tap block of iOS, while a candidate's screen is shown. */
export function useDoubleTapBlock(): void {
  useEffect(() => {
    if (!thisDevice().ios) return;
    const ended = new AbortController();
    blockDoubleTaps(document, ended.signal);
    return () => ended.abort();
  }, []);
}
