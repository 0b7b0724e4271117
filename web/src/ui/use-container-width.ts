import { type RefCallback, useCallback, useState } from 'react';

/**
 * The width of what an element has to itself, so that a table becomes cards by its own room and not
 * by the window's. `null` until it has been measured, which happens before the first paint.
 */
export function useContainerWidth(): [RefCallback<HTMLElement>, number | null] {
  const [width, setWidth] = useState<number | null>(null);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
