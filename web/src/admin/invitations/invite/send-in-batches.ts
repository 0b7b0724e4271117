import { answerWasLost } from '../../../net/api.ts';

/** How a long send went, whole or not. */
export interface SentBatches<R> {
  results: R[];
  /** Handed over without a response: whether they are invited is not known. */
  unanswered: string[];
  /** What was refused or never handed over, in order: after a cancel or a failure. */
  unsent: string[];
  /** Why it ended early; `null` when it did not, or was cancelled. */
  error: unknown;
}

/**
 * Hands addresses or ids over in batches. A running batch is always awaited, so what is reported
 * as sent was sent; `signal` and a failure stop before the next one.
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
