import { type RefCallback, useCallback, useState } from 'react';

/**
 * The width available to an element, so that a table becomes cards by its own width and not by the
 * window's. `null` until measured, before the first paint.
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
