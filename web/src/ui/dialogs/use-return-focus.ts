import { useRef } from 'react';

/**
 * Returns the focus when a dialog closes: to the element that opened it, or to the main part of the
 * page if that is gone (its row was deleted). Radix does this only for dialogs with their own trigger.
 */
export function useReturnFocus() {
  const opener = useRef<Element | null>(null);
  return {
    remember() {
      opener.current = document.activeElement;
    },
    giveBack(event: Event) {
      event.preventDefault();
      const before = opener.current;
      if (before instanceof HTMLElement && before.isConnected && before !== document.body) {
        before.focus();
        return;
      }
      const place = document.querySelector<HTMLElement>('main[tabindex], main h1');
      if (place === null) return;
      // Focusable by script only, without a focus ring.
      place.tabIndex = -1;
      place.classList.add('outline-none');
      place.focus();
    },
  };
}
