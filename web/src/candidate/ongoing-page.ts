import type { AttemptPhase } from './attempt/attempt-state.ts';
import { pageOf } from './where-next.ts';

let phase: AttemptPhase = { kind: 'idle' };

/** Stores the phase of the page's attempt, for screens that load nothing else of it. */
export function storePhase(latest: AttemptPhase): void {
  phase = latest;
}

/** The last page of this page's attempt, or `null`. */
export function attemptPage(): string | null {
  return pageOf(phase);
}

/**
 * The page where this page's attempt continues, or `null` if none is running. Used by the screens before
 * the start: the browser's Back must neither stop the devices nor hide the clock.
 */
export function ongoingPage(): string | null {
  const ongoing = ['loading', 'running', 'submitting'].includes(phase.kind);
  return ongoing ? (pageOf(phase) ?? '/quiz/assessment') : null;
}
