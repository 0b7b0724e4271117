import { useCallback, useMemo } from 'react';
import { useLocation } from 'wouter';
import { withEndedKept } from '../lib/person/ended-attempt.ts';
import { forgetPerson } from '../lib/person/person-memory.ts';
import { useSession } from '../lib/person/session.tsx';
import { atMost } from '../lib/timeout.ts';
import { attemptMonitor } from '../proctoring/attempt-monitor.ts';
import { leaveFullscreen } from '../proctoring/sensors/screen.ts';
import { currentAttempt } from './current-attempt.ts';
import { currentMonitoring } from './monitoring/current-monitoring.ts';

/** Signing out would abort pending uploads, like the evidence of a dismissal: wait this long for them. */
const EVIDENCE_TIMEOUT_MS = 5_000;

export interface Leaving {
  /** Stops streams, leaves fullscreen, signs out, and clears all data of this person but the last end. */
  end(): Promise<void>;
  /** The same, then navigates to the sign-in page. */
  leave(): Promise<void>;
}

/** Leaving a last page (specification 2), or signing out while staying on it. */
export function useLeaving(): Leaving {
  const { account, signOut } = useSession();
  const [, navigate] = useLocation();
  const isSignedIn = account !== null;
  const end = useCallback(async () => {
    attemptMonitor.stop();
    await leaveFullscreen();
    await atMost(currentMonitoring.evidenceSettled(), EVIDENCE_TIMEOUT_MS);
    if (isSignedIn) await signOut();
    withEndedKept(forgetPerson);
  }, [isSignedIn, signOut]);
  const leave = useCallback(async () => {
    await end();
    currentAttempt.close();
    navigate('/login', { replace: true });
  }, [end, navigate]);
  return useMemo(() => ({ end, leave }), [end, leave]);
}
