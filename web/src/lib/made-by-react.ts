/** Whether React made an element or renders into it: it marks them with properties of its own. */
export function isMadeByReact(element: Element): boolean {
  return Object.keys(element).some((key) => key.startsWith('__react'));
}
