import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { clearLocalKeys } from '../../lib/local-keys.ts';
import { useSession } from '../../lib/session.tsx';
import { attemptMonitor } from '../../proctoring/attempt-monitor.ts';
import { leaveFullscreen } from '../../proctoring/sensors/fullscreen.ts';
import { currentAttempt } from './current-attempt.ts';

/**
 * The end of every last page (seed 2): streams stopped, fullscreen left, local storage cleared,
 * signed out, sign-in page.
 */
export function useLeaving(): () => Promise<void> {
  const { signOut } = useSession();
  const navigate = useNavigate();
  return useCallback(async () => {
    attemptMonitor.stop();
    await leaveFullscreen();
    await signOut();
    clearLocalKeys();
    currentAttempt.close();
    await navigate('/login', { replace: true });
  }, [signOut, navigate]);
}
