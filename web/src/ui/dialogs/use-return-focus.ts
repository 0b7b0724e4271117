import { type RefObject, useEffect, useRef } from 'react';

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

/**
 * Moves the focus to the nearest control when one that was pressed is removed from an area, as with its row.
 * A keyboard continues from there in any case; a screen reader would be at the start of the page. What vanishes
 * without being pressed, as on the live board, puts the next key on nothing else.
 */
export function useKeptFocus(area: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const whole = area.current;
    if (whole === null) return;
    let focused: Node | null = null;
    let isPressed = false;
    const onFocus = ({ target }: FocusEvent) => {
      focused = target instanceof Node ? target : null;
      isPressed = false;
    };
    const onClick = ({ target }: MouseEvent) => {
      isPressed = target instanceof Node && focused !== null && focused.contains(target);
    };
    const onBlur = () =>
      queueMicrotask(() => {
        // Blurred by something else than its removal.
        if (focused?.isConnected) focused = null;
      });
    const observer = new MutationObserver((changes) => {
      if (!focused || focused.isConnected || document.activeElement !== document.body) return;
      const removed = (node: Node) => node.contains(focused);
      const change = changes.find(({ removedNodes }) => [...removedNodes].some(removed));
      focused = null;
      if (!isPressed) return;
      (change ? nearestControl(change, whole) : whole).focus({ preventScroll: true });
    });
    observer.observe(whole, { childList: true, subtree: true });
    whole.addEventListener('focusin', onFocus);
    whole.addEventListener('focusout', onBlur);
    // Captured, to run before the handler that removes the control.
    whole.addEventListener('click', onClick, true);
    return () => {
      observer.disconnect();
      whole.removeEventListener('focusin', onFocus);
      whole.removeEventListener('focusout', onBlur);
      whole.removeEventListener('click', onClick, true);
    };
  }, [area]);
}

const CONTROLS = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled';

/**
 * The control next to a removed one, or in the smallest part around it that has one; else the area itself.
 */
function nearestControl(
  { nextSibling, previousSibling, target }: MutationRecord,
  area: HTMLElement,
): HTMLElement {
  const near = [nextSibling, previousSibling];
  for (let around: Node | null = target; around && around !== area; around = around.parentNode) {
    near.push(around);
  }
  const controls = near.flatMap((node) =>
    node instanceof HTMLElement && area.contains(node)
      ? [node.matches(CONTROLS) ? node : node.querySelector<HTMLElement>(CONTROLS)]
      : [],
  );
  return controls.find((control) => control !== null) ?? area;
}
