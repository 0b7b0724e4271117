import { MAIL_LIMITS } from '@invigil/core/domain/limits';
import { useEffect, useRef, useState } from 'react';
import { type SentBatches, sendInBatches } from './send-in-batches.ts';

const MOST = MAIL_LIMITS.addressesPerCall;
/** More than one call takes go in smaller steps, so that there is progress to see and to cancel. */
const STEP = MOST / 2;

export interface BatchProgress {
  done: number;
  total: number;
  /** The batch under way is still waited for. */
  cancelling: boolean;
}

/**
 * Sends any number of addresses or ids, as many per call as the server takes; `progress` is `null` while
 * nothing is under way. Leaving stops the rest.
 */
export function useInBatches() {
  const [progress, setProgress] = useState<BatchProgress | null>(null);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  const send = async <R>(
    all: readonly string[],
    call: (batch: string[]) => Promise<R[]>,
  ): Promise<SentBatches<R>> => {
    const total = all.length;
    const controller = new AbortController();
    running.current = controller;
    setProgress({ done: 0, total, cancelling: false });
    const sent = await sendInBatches(all, total <= MOST ? MOST : STEP, call, {
      signal: controller.signal,
      onProgress: (done) => setProgress({ done, total, cancelling: controller.signal.aborted }),
    });
    setProgress(null);
    return sent;
  };
  const cancel = () => {
    running.current?.abort();
    setProgress((now) => (now === null ? null : { ...now, cancelling: true }));
  };
  return { progress, send, cancel };
}

/** More than one call takes: there is progress to show. */
export const isLong = (progress: BatchProgress | null): progress is BatchProgress =>
  progress !== null && progress.total > MOST;
