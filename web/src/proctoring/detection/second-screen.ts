/** Whether the desktop continues to another screen; only Chromium tells. Unknown is not "no". */
export function secondScreen(): boolean | null {
  const extended: unknown = Reflect.get(screen, 'isExtended');
  return typeof extended === 'boolean' ? extended : null;
}
