import type { AttemptPhase } from './attempt/attempt-state.ts';
import { pageOf } from './where-next.ts';

let phase: AttemptPhase = { kind: 'idle' };

/** Remembers where the attempt of this page stands, for screens that load nothing else of it. */
export function keepPhase(latest: AttemptPhase): void {
  phase = latest;
}

/** The last page that this page's attempt has come to, or `null`. */
export function attemptPage(): string | null {
  return pageOf(phase);
}

/**
 * Where this page's attempt continues, or `null` while none is under way here. The screens before the
 * start ask: the browser's Back must neither switch the devices off nor hide the clock.
 */
export function ongoingPage(): string | null {
  const ongoing = ['loading', 'running', 'submitting'].includes(phase.kind);
  return ongoing ? (pageOf(phase) ?? '/quiz/assessment') : null;
}
