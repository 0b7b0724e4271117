import { useEffect, useId } from 'react';

/** Ids of components with unsaved input. */
const holders = new Set<string>();
/** Asks for confirmation, and calls `proceed` if given. */
type Asker = (proceed: () => void) => void;
let asker: Asker | null = null;

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

/** Navigates away, after confirmation if typed input would be lost. */
export function leaveFor(proceed: () => void): void {
  if (asker !== null && hasUnsaved()) asker(proceed);
  else proceed();
}

/** Registers the confirmation dialog; `null` unregisters it. */
export function setAsker(next: Asker | null): void {
  asker = next;
}

/** Sees a history step before the router; returns `true` to block it. */
type StepGuard = (event: PopStateEvent) => boolean;
let guard: StepGuard | null = null;

/**
 * Must be called before the router subscribes: browsers call the listeners of a window in order of
 * registration, capturing or not, and the router cannot block a step.
 */
export function installStepGuard(): void {
  window.addEventListener('popstate', (event) => {
    if (guard?.(event) === true) event.stopImmediatePropagation();
  });
}

/** Sets the guard; `null` allows every step. */
export function setStepGuard(next: StepGuard | null): void {
  guard = next;
}
