import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { atMost } from '../../lib/patience.ts';
import { forgetPerson } from '../../lib/person-memory.ts';
import { useSession } from '../../lib/session.tsx';
import { attemptMonitor } from '../../proctoring/attempt-monitor.ts';
import { leaveFullscreen } from '../../proctoring/sensors/fullscreen.ts';
import { currentAttempt } from './current-attempt.ts';
import { currentInvigilation } from './current-invigilation.ts';

/** Signing out cuts off what is still being sent: the evidence of a dismissal, on a slow line. */
const EVIDENCE_PATIENCE_MS = 5_000;

/**
 * The end of every last page (seed 2): streams stopped, fullscreen left, signed out, local
 * storage and all else of this person cleared, sign-in page.
 */
export function useLeaving(): () => Promise<void> {
  const { signOut } = useSession();
  const navigate = useNavigate();
  return useCallback(async () => {
    attemptMonitor.stop();
    await leaveFullscreen();
    await atMost(currentInvigilation.evidenceSettled(), EVIDENCE_PATIENCE_MS);
    await signOut();
    forgetPerson();
    currentAttempt.close();
    await navigate('/login', { replace: true });
  }, [signOut, navigate]);
}
