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
    // From one tile to the next the focus stays in the list: let go there, the list would be put into
    // its new order between two presses of Tab, under the hands of whoever walks through it.
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) {
        setFocused(false);
      }
    },
  };
  return { order, hold };
}
