import type { Account } from '@invigil/core/contract/accounts/auth';
import { percentText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useSession } from '../../lib/person/session.tsx';
import { watchPage } from '../../net/retry.ts';
import { useKeepTrying } from '../../net/use-keep-trying.ts';
import { leaveFullscreen } from '../../proctoring/sensors/screen.ts';
import { useEngines } from '../../proctoring/use-monitor.ts';
import type { StartDetails } from '../attempt/api.ts';
import type { LoadFailure } from '../attempt/attempt-loading.ts';
import { keepFilesForReload } from '../attempt/offline-copy.ts';
import { currentAttempt } from '../current-attempt.ts';
import { prepareTest } from '../test/later-screens.ts';
import { useCurrentPage } from '../use-current-page.ts';

/** Whoever waits this long may start without the detectors, which then load during the test. */
const PATIENCE_MS = 20_000;
const TICK_MS = 1_000;
/** The connection cannot be assessed before this share has arrived. */
const LEAST_SHARE = 0.15;
/** Ticks whose rate is taken for the rest: what came before them says nothing about the connection now. */
const RECENT_TICKS = 10;

/** How much had arrived at a time of performance.now(). */
interface Arrived {
  at: number;
  share: number;
}

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
  const [recent, setRecent] = useState<readonly Arrived[]>([]);
  useEffect(() => {
    const over = new AbortController();
    void prepareTest(() => import('../test/attempt-layout.tsx')).then(() => {
      if (over.signal.aborted) return;
      setCode(true);
      keepFilesForReload(over.signal);
    });
    return () => over.abort();
  }, []);
  const isLoading = share !== null && !ready;
  const isReady = hasCode && (!isLoading || isSkipped);
  const tick = useEffectEvent(() =>
    setRecent([...recent.slice(-RECENT_TICKS), { at: performance.now(), share: share ?? 0 }]),
  );
  useEffect(() => {
    if (isReady) return;
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [isReady]);
  const passedMs = (recent.at(-1)?.at ?? began) - began;
  const maySkip = hasCode && isLoading && passedMs > PATIENCE_MS;
  return {
    isReady,
    share: isLoading ? share : null,
    secondsLeft: secondsLeft(recent),
    skip: maySkip ? () => setSkipped(true) : null,
  };
}

/** How long the rest takes at the rate of the last seconds; `null` where that says too little. */
export function secondsLeft(recent: readonly Arrived[]): number | null {
  const [first, last] = [recent[0], recent.at(-1)];
  if (!first || !last || last.share < LEAST_SHARE || last.share <= first.share) return null;
  const rate = (last.share - first.share) / (last.at - first.at);
  return Math.round((1 - last.share) / rate / 1_000);
}

/** 'The test is loading: 40 %, about 20 s more on your connection. Your time has not started.' */
export function preparationText(preparation: Preparation): string {
  return `${loadingText(preparation)} ${notStartedText()}`;
}

/** Said to candidates before the start. */
export const notStartedText = () => t('deviceCheck.notStarted', 'Your time has not started.');

function loadingText({ share, secondsLeft }: Preparation): string {
  // All has arrived: what is left is the work of this device.
  if (share === 1)
    return t(
      /* detection: the software that watches camera and microphone */ 'deviceCheck.loading.starting',
      'The detection is starting.',
    );
  if (share === null)
    return t(/* test: the assessment */ 'deviceCheck.loading', 'The test is loading.');
  const percent = percentText(Math.round(share * 100));
  if (secondsLeft === null || secondsLeft < 3) {
    return t(
      /* test: the assessment. percent: how much of it has arrived */ 'deviceCheck.loading.percent',
      'The test is loading: {percent}.',
      { percent },
    );
  }
  if (secondsLeft >= 90) {
    const minutes = Math.round(secondsLeft / 60);
    return t(
      /* test: the assessment */ 'deviceCheck.loading.minutes',
      '{minutes, plural, one {The test is loading: {percent}, about # minute more on your connection.} other {The test is loading: {percent}, about # minutes more on your connection.}}',
      { percent, minutes },
    );
  }
  const seconds = secondsLeft <= 10 ? secondsLeft : Math.ceil(secondsLeft / 10) * 10;
  return t(
    /* test: the assessment */ 'deviceCheck.loading.seconds',
    'The test is loading: {percent}, about {seconds} s more on your connection.',
    { percent, seconds },
  );
}

/** Why the button did not lead into the test. */
export interface StartProblem {
  title: string;
  /** There was no response, and it is tried again; `unsure`: the start may have been carried out. */
  unanswered?: 'not-sent' | 'unsure';
  /** There was none, the server answers again, and nobody was seen waiting for it. */
  isBack?: boolean;
}

export function useStart(
  account: Account,
  quizId: string,
  on: {
    /** The policy has changed since the consent, and the account now has it. */
    onConsentOutdated(): void;
    /** The server requires a camera, which this device does not have. */
    onCameraRequired(): void;
    /** Starts as the button does, where it still can be pressed; otherwise returns false. */
    again(): false | Promise<void>;
  },
) {
  const { signedIn, refresh } = useSession();
  const [, navigate] = useLocation();
  const openCurrentPage = useCurrentPage();
  const [isStarting, setStarting] = useState(false);
  const [problem, setProblem] = useState<StartProblem | null>(null);
  const isHere = useStaying();
  const again = useEffectEvent(() => isHere.current && on.again());
  const keepTrying = useKeepTrying(async () => {
    if (isStarting) return;
    try {
      // The account tells whether the attempt has started, and what applies to it by now.
      await refresh();
    } catch {
      return;
    }
    const started = again();
    if (started !== false) return started;
    keepTrying.stop();
    setProblem({
      title: t('deviceCheck.problem.isBack', 'The server can be reached again.'),
      isBack: true,
    });
    await leaveFullscreen();
  });

  const start = async (details: StartDetails) => {
    setStarting(true);
    const isOffline = !navigator.onLine;
    const { retake, ...known } = account;
    const outcome = await currentAttempt.start(quizId, {
      ...{ ...details, userId: account.user.id },
      ...(retake ? { retakes: retake.after } : {}),
    });
    if (outcome.kind === 'entered') {
      signedIn({ ...known, attempt: outcome.participant });
      // Replace this screen: Back while the next one loads must not return to it.
      return navigate('/quiz/assessment', { replace: true });
    }
    if (outcome.kind === 'failed' && outcome.failure.unsure === true) {
      const unanswered = isOffline && !navigator.onLine ? 'not-sent' : 'unsure';
      setProblem({ title: outcome.failure.message, unanswered });
      keepTrying.tryAgain();
    } else {
      keepTrying.stop();
      setProblem(null);
      await leaveFullscreen();
      await (outcome.kind === 'failed' ? refused(outcome.failure) : stopped());
    }
    setStarting(false);
  };

  const refused = async ({ kind, message }: LoadFailure) => {
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
        return setProblem({ title: message });
    }
  };

  const stopped = async () => {
    // If the session has ended, the guard redirects to the sign-in page.
    if ((await refresh().catch(() => account)) === null) return;
    setProblem({
      title: t(
        'deviceCheck.problem.signedOut',
        'You signed in somewhere else or were signed out. Sign in again to start.',
      ),
    });
  };

  /** Starts as the button does, during the click. */
  const press = (details: StartDetails) => {
    isHere.current = true;
    setProblem(null);
    return start(details);
  };
  return { press, start, isStarting, problem };
}

/** Whether the page has been in view ever since this was set to true. */
function useStaying(): RefObject<boolean> {
  const isHere = useRef(false);
  useEffect(() => {
    const over = new AbortController();
    const leaving = () => {
      isHere.current = false;
    };
    watchPage({ leaving, back: () => undefined }, over.signal);
    return () => {
      over.abort();
      // Who left this screen is not waiting for the start.
      leaving();
    };
  }, []);
  return isHere;
}
