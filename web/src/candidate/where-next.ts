import type { AttemptPhase } from './attempt/attempt-state.ts';

/**
 * The page where an attempt in this phase belongs; `null` where test and review may stand. A submit
 * that gets no answer continues behind the thank-you screen (seed 8).
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
