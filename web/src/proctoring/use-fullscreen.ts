import { useEffect, useState } from 'react';
import { isFullscreen, watchFullscreen } from './sensors/fullscreen.ts';

/** Whether the page is in fullscreen. Watches only while `active`. */
export function useFullscreen(active: boolean): boolean {
  const [full, setFull] = useState(isFullscreen);
  useEffect(() => {
    if (!active) return;
    const ended = new AbortController();
    setFull(isFullscreen());
    watchFullscreen(setFull, ended.signal);
    return () => ended.abort();
  }, [active]);
  return full;
}
