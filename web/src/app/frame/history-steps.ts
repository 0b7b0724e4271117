/** Judges a step through the history before the router does; `true` holds it back. */
type StepGuard = (event: PopStateEvent) => boolean;
let guard: StepGuard | null = null;

/**
 * Must be called before the router listens: browsers tell the listeners of a window in the order in
 * which they came, capturing or not, and the router cannot hold a step back by itself.
 */
export function installStepGuard(): void {
  window.addEventListener('popstate', (event) => {
    if (guard?.(event) === true) event.stopImmediatePropagation();
  });
}

/** Who judges from now on; `null` lets every step pass. */
export function setStepGuard(next: StepGuard | null): void {
  guard = next;
}
