import type { AttemptPhase } from './attempt/attempt-state.ts';

/**
 * The page of an attempt in this phase; `null` for test and review. A submit without a response
 * continues on the thank-you screen (seed 8).
 */
export function pageOf(phase: AttemptPhase): string | null {
  switch (phase.kind) {
    case 'ended':
      return phase.summary.status === 'dismissed' ? '/quiz/dismissed' : '/quiz/thankyou';
    case 'submitting':
      if (phase.by === 'dismissal') return '/quiz/dismissed';
      return phase.by !== 'candidate' || phase.tries > 0 ? '/quiz/thankyou' : null;
    case 'failed':
      if (phase.failure.kind === 'inactive') return '/quiz/expired';
      return phase.failure.kind === 'completed' ? '/assessment-completed' : null;
    default:
      return null;
  }
}
