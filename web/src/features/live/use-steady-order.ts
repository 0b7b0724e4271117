import type { LiveAttempt } from '@invigil/core/contract/live';
import { useRef, useState } from 'react';
import { keepPlaces } from './board-order.ts';

/**
 * An order that stands still as long as the pointer or the focus is in the list. `hold` goes onto
 * the list's element.
 */
export function useSteadyOrder(wanted: readonly LiveAttempt[]) {
  const [held, setHeld] = useState(false);
  const shown = useRef<readonly string[]>([]);
  const order = held ? keepPlaces(shown.current, wanted) : [...wanted];
  shown.current = order.map(({ id }) => id);
  const hold = {
    onPointerEnter: () => setHeld(true),
    onPointerLeave: () => setHeld(false),
    onFocus: () => setHeld(true),
    onBlur: () => setHeld(false),
  };
  return { order, hold };
}
