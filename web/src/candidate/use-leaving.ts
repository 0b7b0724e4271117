import { useCallback, useMemo } from 'react';
import { useNavigate } from 'react-router';
import { forgetPerson } from '../lib/person/person-memory.ts';
import { useSession } from '../lib/person/session.tsx';
import { atMost } from '../lib/timeout.ts';
import { attemptMonitor } from '../proctoring/attempt-monitor.ts';
import { leaveFullscreen } from '../proctoring/sensors/fullscreen.ts';
import { currentAttempt } from './current-attempt.ts';
import { currentInvigilation } from './monitoring/current-invigilation.ts';

/** Signing out cuts off what is still being sent: the evidence of a dismissal, on a slow line. */
const EVIDENCE_TIMEOUT_MS = 5_000;

export interface Leaving {
  /** Streams stopped, fullscreen left, signed out, local storage and all else of this person cleared. */
  end(): Promise<void>;
  /** The same, and on to the sign-in page. */
  leave(): Promise<void>;
}

/** The end of every last page (seed 2), also for those who stay to read it. */
export function useLeaving(): Leaving {
  const { account, signOut } = useSession();
  const navigate = useNavigate();
  const isSignedIn = account !== null;
  const end = useCallback(async () => {
    attemptMonitor.stop();
    await leaveFullscreen();
    await atMost(currentInvigilation.evidenceSettled(), EVIDENCE_TIMEOUT_MS);
    if (isSignedIn) await signOut();
    forgetPerson();
  }, [isSignedIn, signOut]);
  const leave = useCallback(async () => {
    await end();
    currentAttempt.close();
    await navigate('/login', { replace: true });
  }, [end, navigate]);
  return useMemo(() => ({ end, leave }), [end, leave]);
}
