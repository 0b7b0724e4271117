/** As a `ref`: what appears in a list or a form that scrolls is brought into sight, once. */
export function intoSight(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
