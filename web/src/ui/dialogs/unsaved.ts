import { useEffect, useId } from 'react';

/** Ids of components with unsaved input. */
const holders = new Set<string>();

/**
 * While `unsaved`, leaving would lose typed input: closing or reloading the page shows the browser's
 * dialog, navigation inside the app shows ours.
 */
export function useUnsaved(unsaved: boolean): void {
  const id = useId();
  useEffect(() => {
    if (!unsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    holders.add(id);
    return () => {
      window.removeEventListener('beforeunload', warn);
      holders.delete(id);
    };
  }, [unsaved, id]);
}

export function hasUnsaved(): boolean {
  return holders.size > 0;
}
