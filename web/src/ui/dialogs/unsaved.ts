import { useEffect, useId } from 'react';

/** Who holds something typed and not saved. */
const holders = new Set<string>();
/** Asks the person, and continues with what was held up if they say so. */
type Asker = (goOn: () => void) => void;
let asker: Asker | null = null;

/**
 * While `unsaved`, something typed here would be lost by leaving: closing or reloading the page asks
 * in the browser's own words, walking to another page inside the app in ours.
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

/** Does what leads away from here; asks first when something typed would be lost. */
export function leaveFor(goOn: () => void): void {
  if (asker !== null && hasUnsaved()) asker(goOn);
  else goOn();
}

/** The one who asks; `null` when there is no one to ask any more. */
export function setAsker(next: Asker | null): void {
  asker = next;
}
