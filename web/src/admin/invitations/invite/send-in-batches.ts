import { answerWasLost } from '../../../net/api.ts';

/** The result of a long send, complete or not. */
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
