/** Whether lines run from right to left: in an element, or on the page. */
export const isReversed = (element: Element = document.documentElement): boolean =>
  getComputedStyle(element).direction === 'rtl';

/** The direction of the page, for components of Radix: they set one themselves, left to right unless told. */
export const pageDirection = (): 'rtl' | 'ltr' => (isReversed() ? 'rtl' : 'ltr');

/** The way an arrow key leads along a line; `null` for other keys. Left is forward where lines run from right to left. */
export function inlineArrow({
  key,
  currentTarget,
}: {
  key: string;
  /** An element with a direction of its own; keys that the whole page hears follow the page. */
  currentTarget: EventTarget | null;
}): 'forward' | 'back' | null {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return null;
  const reversed = isReversed(currentTarget instanceof Element ? currentTarget : undefined);
  return (key === 'ArrowRight') === reversed ? 'back' : 'forward';
}
