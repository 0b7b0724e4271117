import type { Account } from '@invigil/core/contract/accounts/auth';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useSession } from '../../lib/person/session.tsx';
import { leaveFullscreen } from '../../proctoring/sensors/screen.ts';
import { useEngines } from '../../proctoring/use-monitor.ts';
import type { StartDetails } from '../attempt/api.ts';
import type { LoadFailure } from '../attempt/attempt-loading.ts';
import { currentAttempt } from '../current-attempt.ts';
import { prepareTest } from '../test/later-screens.ts';
import { useCurrentPage } from '../use-current-page.ts';

/** Whoever waits this long may start without the detectors, which then load during the test. */
const PATIENCE_MS = 20_000;
const TICK_MS = 1_000;
/** The connection cannot be assessed before this share has arrived. */
const LEAST_SHARE = 0.03;

interface Preparation {
  /** Everything that the test needs is here: loading takes none of the candidate's time. */
  isReady: boolean;
  /** Share of the detectors that has arrived, 0 to 1; `null` where none are loading. */
  share: number | null;
  /** Estimated from what has arrived; `null` while unknown. */
  secondsLeft: number | null;
  /** Starts without the rest of the detectors; `null` while there is no reason to. */
  skip: (() => void) | null;
}

export function usePreparation(): Preparation {
  const { share, ready } = useEngines();
  const [hasCode, setCode] = useState(false);
  const [isSkipped, setSkipped] = useState(false);
  const [began] = useState(() => performance.now());
  const [now, setNow] = useState(began);
  useEffect(() => {
    let isOver = false;
    void prepareTest(() => import('../test/attempt-layout.tsx')).then(
      () => isOver || setCode(true),
    );
    return () => {
      isOver = true;
    };
  }, []);
  const isLoading = share !== null && !ready;
  const isReady = hasCode && (!isLoading || isSkipped);
  useEffect(() => {
    if (isReady) return;
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isReady]);
  const passedMs = now - began;
  const left =
    share === null || share < LEAST_SHARE ? null : (passedMs * (1 - share)) / share / 1_000;
  const maySkip = hasCode && isLoading && passedMs > PATIENCE_MS;
  return {
    isReady,
    share: isLoading ? share : null,
    secondsLeft: left === null ? null : Math.ceil(left),
    skip: maySkip ? () => setSkipped(true) : null,
  };
}

/** '40 %, about 20 seconds more on your connection' */
export function preparationText({ share, secondsLeft }: Preparation): string {
  const percent = share === null ? '' : ` ${Math.round(share * 100)} %`;
  const about =
    secondsLeft === null || secondsLeft < 3
      ? ''
      : `, about ${durationText(secondsLeft)} more on your connection`;
  return `The test is loading:${percent}${about}. Your time has not started.`.replace(':.', '.');
}

function durationText(seconds: number): string {
  if (seconds >= 90) return `${Math.round(seconds / 60)} minutes`;
  return seconds <= 10 ? `${seconds} s` : `${Math.ceil(seconds / 10) * 10} s`;
}

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
  const [, navigate] = useLocation();
  const openCurrentPage = useCurrentPage();
  const [isStarting, setStarting] = useState(false);
  const [problem, setProblem] = useState<{ title: string; mayHaveStarted: boolean } | null>(null);

  const start = async (details: StartDetails) => {
    setStarting(true);
    setProblem(null);
    const outcome = await currentAttempt.start(quizId, { ...details, userId: account.user.id });
    if (outcome.kind === 'entered') {
      signedIn({ ...account, attempt: outcome.participant });
      // Replace this screen: Back while the next one loads must not return to it.
      return navigate('/quiz/assessment', { replace: true });
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
      case 'completed':
        return openCurrentPage();
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
