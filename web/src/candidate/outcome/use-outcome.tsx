import { type EndedAttempt, getEndedAttempt } from '@invigil/core/contract/attempts/ended-attempt';
import { useEffect, useState } from 'react';
import { Redirect } from 'wouter';
import { endedHere, keepEnded } from '../../lib/person/ended-attempt.ts';
import { useSession } from '../../lib/person/session.tsx';
import { callEndpoint } from '../../net/api.ts';
import { readUntilThere } from '../../net/retry.ts';
import { attemptMonitor } from '../../proctoring/attempt-monitor.ts';
import { leaveFullscreen } from '../../proctoring/sensors/screen.ts';
import type { AttemptPhase } from '../attempt/attempt-state.ts';
import { currentAttempt, useAttempt } from '../current-attempt.ts';
import { haltedView } from '../halted.tsx';
import { pageOf } from '../navigation.ts';

/** The page may close without what the server says about the end after this, milliseconds. */
const RECORD_WITHIN_MS = 5_000;

/**
 * The end of the attempt on a last page: sends what is stored (after a reload), stops the devices and asks
 * for what the server says about it.
 */
export function useOutcome() {
  const { account } = useSession();
  const { phase, participant } = useAttempt();
  const attempt = account?.attempt ?? null;
  useEffect(() => {
    if (attempt !== null) currentAttempt.open(attempt);
  }, [attempt]);
  useEffect(() => {
    attemptMonitor.stop();
    void leaveFullscreen();
  }, []);
  const isEnded = phase.kind === 'ended';
  // Also after the sign-out, on a page that stays open.
  const ended = useEnded(isEnded ? ((attempt ?? participant)?.id ?? null) : null);
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isEnded) return;
    const timer = setTimeout(() => setLate(true), RECORD_WITHIN_MS);
    return () => clearTimeout(timer);
  }, [isEnded]);
  return { attempt, ended, mayClose: isEnded && (ended !== null || isLate) };
}

/** The view that replaces a last page, if any. */
export function insteadOf(page: '/quiz/thankyou' | '/quiz/dismissed', phase: AttemptPhase) {
  const other = pageOf(phase);
  return other !== null && other !== page ? <Redirect to={other} replace /> : haltedView(phase);
}

/**
 * The server's record of an attempt that has ended, kept for the sign-in page; `null` before the response.
 * The pages show what this browser knows itself as long as it is `null`.
 *
 * @param id `null` while it has not ended
 */
function useEnded(id: string | null): EndedAttempt | null {
  const [ended, setEnded] = useState(() => endedHere()?.ended ?? null);
  const isKnown = ended?.participantId === id;
  useEffect(() => {
    if (id === null || isKnown) return;
    return readUntilThere((signal) => callEndpoint(getEndedAttempt, { params: { id }, signal }), {
      read(found) {
        keepEnded(found);
        setEnded(found);
      },
    });
  }, [id, isKnown]);
  return isKnown ? ended : null;
}
