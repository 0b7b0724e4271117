import { useRef } from 'react';

/**
 * Where the focus goes when a dialog closes: back to what opened it, and when that is gone (its row
 * was deleted) to the main part of the page instead of the very top. Radix does this only for
 * dialogs that stand beside their own trigger.
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
      // Nothing that the Tab key goes to, and without the ring of what can be pressed.
      place.tabIndex = -1;
      place.classList.add('outline-none');
      place.focus();
    },
  };
}
