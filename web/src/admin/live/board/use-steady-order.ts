import type { LiveAttempt } from '@invigil/core/contract/live';
import { type FocusEvent, useRef, useState } from 'react';
import { keepPlaces } from './board-order.ts';

/**
 * An order that stands still as long as the pointer or the focus is in the list. `hold` goes onto
 * the list's element.
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
    // Focus moves between tiles stay in the list: releasing the order there would re-sort the list
    // between two presses of Tab, under a keyboard user.
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) {
        setFocused(false);
      }
    },
  };
  return { order, hold };
}
