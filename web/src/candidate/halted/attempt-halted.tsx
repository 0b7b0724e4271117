import type { ReactNode } from 'react';
import type { AttemptPhase } from '../attempt/attempt-state.ts';
import { AttemptFailed } from './attempt-loading-view.tsx';
import { OtherTabPanel, StoppedPanel } from './attempt-panels.tsx';

/** Replaces the screens of an attempt that cannot continue here; `null` if it can. */
export function haltedView(phase: AttemptPhase): ReactNode | null {
  switch (phase.kind) {
    case 'elsewhere':
      return <OtherTabPanel />;
    case 'stopped':
      return <StoppedPanel why={phase.why} />;
    case 'failed':
      return <AttemptFailed failure={phase.failure} />;
    default:
      return null;
  }
}
