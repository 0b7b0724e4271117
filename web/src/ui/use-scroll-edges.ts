import { useCallback, useState } from 'react';

/** Whether a scrolling box has content above and below its visible part. */
export interface ScrollEdges {
  above: boolean;
  below: boolean;
}

/** The edges behind which a box has more content, and the ref for the box. */
export function useScrollEdges(): [
  (box: HTMLElement | null) => (() => void) | undefined,
  ScrollEdges,
] {
  const [edges, setEdges] = useState<ScrollEdges>({ above: false, below: false });
  const watch = useCallback((box: HTMLElement | null) => {
    if (box === null) return undefined;
    const look = () => {
      const above = box.scrollTop > 0;
      // Half a pixel of tolerance: browsers round only one of the values.
      const below = box.scrollTop + box.clientHeight < box.scrollHeight - 1;
      setEdges((now) => (now.above === above && now.below === below ? now : { above, below }));
    };
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(box);
    for (const child of box.children) sizes.observe(child);
    box.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, []);
  return [watch, edges];
}
