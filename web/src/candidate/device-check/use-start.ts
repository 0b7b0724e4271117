import type { Account } from '@invigil/core/contract/accounts/auth';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { clearLocalKeys } from '../../lib/person/local-keys.ts';
import { useSession } from '../../lib/person/session.tsx';
import { leaveFullscreen } from '../../proctoring/sensors/screen.ts';
import type { StartDetails } from '../attempt/api.ts';
import type { LoadFailure } from '../attempt/attempt-loading.ts';
import { currentAttempt } from '../current-attempt.ts';

/** Starts the attempt or continues it, and leads to the page that follows. */
export function useStart(
  account: Account,
  quizId: string,
  on: {
    /** The policy has changed since the consent, and the account now has it. */
    onConsentOutdated(): void;
    /** The server requires a camera, which this device does not have. */
    onCameraRequired(): void;
  },
) {
  const { signedIn, refresh } = useSession();
  const navigate = useNavigate();
  const [isStarting, setStarting] = useState(false);
  const [problem, setProblem] = useState<{ title: string; mayHaveStarted: boolean } | null>(null);

  const start = async (details: StartDetails) => {
    setStarting(true);
    setProblem(null);
    const outcome = await currentAttempt.start(quizId, details);
    if (outcome.kind === 'entered') {
      signedIn({ ...account, attempt: outcome.participant });
      // Replace this screen: Back while the next one loads must not return to it.
      return void navigate('/quiz/assessment', { replace: true });
    }
    await leaveFullscreen();
    await (outcome.kind === 'failed' ? refused(outcome.failure) : stopped());
    setStarting(false);
  };

  const refused = async ({ kind, message, unsure }: LoadFailure) => {
    switch (kind) {
      case 'consent':
        // If the current policy cannot be read, ask for consent anyway.
        await refresh().catch(() => undefined);
        return on.onConsentOutdated();
      case 'inactive':
        clearLocalKeys();
        return void navigate('/quiz/expired', { replace: true });
      case 'completed':
        return void navigate('/assessment-completed', { replace: true });
      case 'camera':
        return on.onCameraRequired();
      default:
        return setProblem({ title: message, mayHaveStarted: unsure === true });
    }
  };

  const stopped = async () => {
    // If the session has ended, the guard redirects to the sign-in page.
    if ((await refresh().catch(() => account)) === null) return;
    const title = 'You signed in somewhere else or were signed out. Sign in again to start.';
    setProblem({ title, mayHaveStarted: false });
  };

  return { start, isStarting, problem };
}
