import { useCallback, useState } from 'react';

/** The sides at which a scrolling box has content beyond its visible part. */
export interface ScrollEdges {
  above: boolean;
  below: boolean;
  left: boolean;
  right: boolean;
  /** The first column of a table in it leaves room for the others: it may stay in view. */
  holdsColumn: boolean;
}

const NONE: ScrollEdges = {
  ...{ above: false, below: false, left: false, right: false },
  holdsColumn: false,
};

/** The sides at which a box has more content, and the ref for the box. */
export function useScrollEdges(): [
  (box: HTMLElement | null) => (() => void) | undefined,
  ScrollEdges,
] {
  const [edges, setEdges] = useState(NONE);
  const watch = useCallback((box: HTMLElement | null) => {
    if (box === null) return undefined;
    const look = () => {
      const hidden = box.scrollWidth - box.clientWidth;
      // From right to left it begins at the right: 0 there, negative from there on.
      const isReversed = getComputedStyle(box).direction === 'rtl';
      const fromLeft = box.scrollLeft + (isReversed ? hidden : 0);
      // A pixel of tolerance: browsers round only one of the values.
      const next = {
        above: box.scrollTop > 0,
        below: box.scrollTop + box.clientHeight < box.scrollHeight - 1,
        left: fromLeft > 1,
        right: fromLeft < hidden - 1,
        holdsColumn: (box.querySelector('th, td')?.clientWidth ?? 0) <= box.clientWidth / 2,
      };
      setEdges((now) => (isSame(now, next) ? now : next));
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

const SIDES = ['above', 'below', 'left', 'right', 'holdsColumn'] as const;
const isSame = (one: ScrollEdges, other: ScrollEdges) =>
  SIDES.every((side) => one[side] === other[side]);
