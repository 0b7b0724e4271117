/**
 * Focuses the heading of the page, so that screen readers announce it when the focused element is gone.
 * Does not scroll.
 */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1');
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.classList.add('outline-none');
  heading.focus({ preventScroll: true });
}
