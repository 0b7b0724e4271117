import type { LiveAttempt } from '@invigil/core/contract/review/live';
import { type FocusEvent, useRef, useState } from 'react';
import { keepPlaces } from './board-order.ts';

/**
 * An order that is frozen while the pointer or the focus is in the list. `hold` is for the list's
 * element.
 */
export function useSteadyOrder(wanted: readonly LiveAttempt[]) {
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const shown = useRef<readonly string[]>([]);
  const order = isPointed || isFocused ? keepPlaces(shown.current, wanted) : [...wanted];
  shown.current = order.map(({ id }) => id);
  const hold = {
    onPointerEnter: () => setPointed(true),
    onPointerLeave: () => setPointed(false),
    onFocus: () => setFocused(true),
    // Ignore focus moves between tiles: releasing the order would re-sort the list between two presses
    // of Tab.
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) {
        setFocused(false);
      }
    },
  };
  return { order, hold };
}
