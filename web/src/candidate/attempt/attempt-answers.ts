import { AnswerSync, type AnswerSyncDeps } from '../../answer-sync/answer-sync.ts';
import {
  type ChangeStore,
  lastMomentOf,
  memoryChangeStore,
  openChangeStore,
} from '../../answer-sync/change-store.ts';
import { endpointTransport } from '../../answer-sync/endpoint-transport.ts';
import { watchPage } from '../../answer-sync/page-events.ts';
import { logProblem } from '../../lib/problem-log.ts';

/** Changes that the browser could not store, for the page's next visit of the attempt. */
export const pageMemory = memoryChangeStore();

/**
 * Opens the answers of an attempt until the signal aborts: their durable queue, or the page's memory
 * if the browser cannot store, and their sender.
 */
export async function openAnswers(
  participantId: string,
  on: Pick<AnswerSyncDeps, 'onNews' | 'onNotices'>,
  signal: AbortSignal,
): Promise<{ sync: AnswerSync; store: ChangeStore }> {
  let durable = true;
  const store = await openChangeStore().catch((cause) => {
    logProblem('This browser cannot store answers: unsaved ones are in memory only', cause);
    durable = false;
    return pageMemory;
  });
  const transport = endpointTransport(participantId);
  const memory = pageMemory;
  const lastMoment = lastMomentOf(participantId);
  const deps = { participantId, transport, store, memory, lastMoment, durable };
  const sync = new AnswerSync({ ...deps, ...on });
  signal.addEventListener('abort', () => sync.stop());
  if (signal.aborted) sync.stop();
  followPage(sync, signal);
  return { sync, store };
}

/** Sends unsent changes when the page may close, and retries when it is back. */
function followPage(sync: AnswerSync, signal: AbortSignal): void {
  const on = { leaving: () => sync.flushForGood(), back: () => sync.retryNow() };
  watchPage({ window, document }, on, signal);
  // Only if leaving would lose changes: neither stored here nor acknowledged.
  const ask = (event: BeforeUnloadEvent) => {
    if (!sync.getSnapshot().durable && sync.unsent.length > 0) event.preventDefault();
  };
  window.addEventListener('beforeunload', ask, { signal });
}
