import { AnswerSync, type AnswerSyncDeps } from '../../answer-sync/answer-sync.ts';
import {
  type ChangeStore,
  memoryChangeStore,
  openChangeStore,
} from '../../answer-sync/change-store.ts';
import { endpointTransport } from '../../answer-sync/endpoint-transport.ts';
import { watchPage } from '../../answer-sync/page-events.ts';
import { logProblem } from '../../lib/problem-log.ts';

/** What the browser did not store: as long as the page lives its next visit continues from it. */
export const pageMemory = memoryChangeStore();

/**
 * Opens the answers of one attempt on this page, until the signal aborts: their durable queue, or the
 * page's memory where the browser stores nothing, and their sender, which goes with the page.
 */
export async function openAnswers(
  participantId: string,
  on: Pick<AnswerSyncDeps, 'onNews' | 'onNotices'>,
  signal: AbortSignal,
): Promise<{ sync: AnswerSync; store: ChangeStore }> {
  let durable = true;
  const store = await openChangeStore().catch((cause) => {
    logProblem('This browser stores nothing: answers wait in the page only', cause);
    durable = false;
    return pageMemory;
  });
  const transport = endpointTransport(participantId);
  const memory = pageMemory;
  const sync = new AnswerSync({ participantId, transport, store, memory, durable, ...on });
  signal.addEventListener('abort', () => sync.stop());
  if (signal.aborted) sync.stop();
  followPage(sync, signal);
  return { sync, store };
}

/** What is unsent goes out before the page does, and once more when it is back. */
function followPage(sync: AnswerSync, signal: AbortSignal): void {
  const on = { leaving: () => sync.flushForGood(), back: () => sync.retryNow() };
  watchPage({ window, document }, on, signal);
  // Only where leaving would lose something: nothing stored here, nothing acknowledged there.
  const ask = (event: BeforeUnloadEvent) => {
    if (!sync.getSnapshot().durable && sync.unsent.length > 0) event.preventDefault();
  };
  window.addEventListener('beforeunload', ask, { signal });
}
