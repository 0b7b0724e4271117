import { type EndedAttempt, getEndedAttempt } from '@invigil/core/contract/attempts/ended-attempt';
import { useEffect, useState } from 'react';
import { endedHere, keepEnded } from '../../lib/person/ended-attempt.ts';
import { callEndpoint, inTime } from '../../net/api.ts';
import { mayPass } from '../../net/api-error.ts';

const AGAIN_MS = 3_000;

/**
 * What the server says about an attempt that has ended, kept for the sign-in page; `null` before the
 * response. Without it the pages show what this browser knows itself.
 *
 * @param id `null` while it has not ended
 */
export function useEnded(id: string | null): EndedAttempt | null {
  const [ended, setEnded] = useState(() => endedHere()?.ended ?? null);
  const isKnown = ended?.participantId === id;
  useEffect(() => {
    if (id === null || isKnown) return;
    const over = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async () => {
      try {
        const signal = AbortSignal.any([over.signal, inTime()]);
        const found = await callEndpoint(getEndedAttempt, { params: { id }, signal });
        if (over.signal.aborted) return;
        keepEnded(found);
        setEnded(found);
      } catch (cause) {
        if (mayPass(cause) && !over.signal.aborted) timer = setTimeout(() => void read(), AGAIN_MS);
      }
    };
    void read();
    return () => {
      over.abort();
      clearTimeout(timer);
    };
  }, [id, isKnown]);
  return isKnown ? ended : null;
}
