import { MAIL_LIMITS } from '@invigil/core/domain/limits';
import { useEffect, useRef, useState } from 'react';
import { answerWasLost } from '../../../net/api.ts';

const MOST = MAIL_LIMITS.addressesPerCall;
/** Batch size of a send larger than one call, small enough for progress and cancel. */
const STEP = MOST / 2;

export interface BatchProgress {
  done: number;
  total: number;
  /** The running batch is still awaited. */
  cancelling: boolean;
}

/**
 * Sends any number of addresses or ids in calls of the server's maximum size; `progress` is `null` while
 * idle. Unmounting cancels the rest.
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

export const isLong = (progress: BatchProgress | null): progress is BatchProgress =>
  progress !== null && progress.total > MOST;

export interface SentBatches<R> {
  results: R[];
  /** Sent without a response: the outcome is unknown. */
  unanswered: string[];
  /** Refused or never sent, in order, after a cancel or a failure. */
  unsent: string[];
  /** Why it ended early; `null` if it did not, or was canceled. */
  error: unknown;
}

/**
 * Sends addresses or ids in batches. A running batch is always awaited, so what is reported as sent
 * was sent; `signal` and a failure stop before the next one.
 */
export async function sendInBatches<R>(
  addresses: readonly string[],
  batchSize: number,
  send: (batch: string[]) => Promise<R[]>,
  { signal, onProgress }: { signal: AbortSignal; onProgress(done: number): void },
): Promise<SentBatches<R>> {
  const results: R[] = [];
  let done = 0;
  while (done < addresses.length && !signal.aborted) {
    const batch = addresses.slice(done, done + batchSize);
    try {
      results.push(...(await send(batch)));
    } catch (error) {
      const unanswered = answerWasLost(error) ? batch : [];
      return { results, unanswered, unsent: addresses.slice(done + unanswered.length), error };
    }
    done += batch.length;
    onProgress(done);
  }
  return { results, unanswered: [], unsent: addresses.slice(done), error: null };
}
