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
