/** As a `ref`: what appears in a list or a form that scrolls is brought into sight, once. */
export function intoSight(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

/** The same for awaited content: it also takes the focus, so that a screen reader starts there. */
export function intoViewAndFocus(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
  element?.scrollIntoView({ block: 'start' });
}
