/** Judges a step through the history before the router does; `true` holds it back. */
type Judge = (event: PopStateEvent) => boolean;
let judge: Judge | null = null;

/**
 * Must be called before the router listens: browsers tell the listeners of a window in the order in
 * which they came, capturing or not, and the router cannot hold a step back by itself.
 */
export function judgeHistorySteps(): void {
  window.addEventListener('popstate', (event) => {
    if (judge?.(event) === true) event.stopImmediatePropagation();
  });
}

/** Who judges from now on; `null` lets every step pass. */
export function setStepJudge(next: Judge | null): void {
  judge = next;
}
