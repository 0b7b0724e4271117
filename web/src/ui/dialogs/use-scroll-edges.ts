import { useCallback, useState } from 'react';

/** Whether something lies above and below what a scrolling box shows. */
export interface ScrollEdges {
  above: boolean;
  below: boolean;
}

/** The edges behind which a box has more, and the ref for the box. */
export function useScrollEdges(): [
  (box: HTMLElement | null) => (() => void) | undefined,
  ScrollEdges,
] {
  const [edges, setEdges] = useState<ScrollEdges>({ above: false, below: false });
  const watch = useCallback((box: HTMLElement | null) => {
    if (box === null) return undefined;
    const look = () => {
      const above = box.scrollTop > 0;
      // Half a pixel: browsers round the one and not the other.
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
