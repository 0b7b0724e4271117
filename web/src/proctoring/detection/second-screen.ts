/** Whether the desktop extends to another screen; only Chromium exposes it. `null`: unknown. */
export function secondScreen(): boolean | null {
  const extended: unknown = Reflect.get(screen, 'isExtended');
  return typeof extended === 'boolean' ? extended : null;
}
