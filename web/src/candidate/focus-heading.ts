/**
 * Puts the focus on the heading of the page, which a screen reader then says: where what had the
 * focus is gone, it would otherwise start again at the very top, in silence. Nothing is scrolled.
 */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1');
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.classList.add('outline-none');
  heading.focus({ preventScroll: true });
}
