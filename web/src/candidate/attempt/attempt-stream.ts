import { AttemptNews } from '@invigil/core/contract/attempts/own-participant';
import type { Stop } from '../../answer-sync/answer-transport.ts';
import { retryDelayMs } from '../../answer-sync/back-off.ts';
import { stopOf } from '../../answer-sync/endpoint-transport.ts';
import { RetryPause } from '../../answer-sync/retry-pause.ts';
import { logProblem } from '../../lib/problem-log.ts';
import { readEvents, type StreamEvent } from '../../net/event-stream.ts';

export interface StreamDeps {
  open(signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  onNews(news: AttemptNews): void;
  onStop(stop: Stop): void;
  random?: () => number;
}

/**
 * The server sends a keep-alive every 15 s. After this long without one the connection is dead, even if
 * the browser reports it as open.
 */
const SILENT_MS = 40_000;

/**
 * Follows the event stream of an attempt until the signal aborts, and reconnects with the back-off of
 * the answer path. Nothing depends on it: the heartbeat brings the same updates, only later.
 */
export function followNews(deps: StreamDeps, signal: AbortSignal): { reconnectNow(): void } {
  const pause = new RetryPause();
  void follow(deps, pause, signal);
  return { reconnectNow: () => pause.endNow() };
}

async function follow(deps: StreamDeps, pause: RetryPause, signal: AbortSignal): Promise<void> {
  const { random = Math.random } = deps;
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      await readOnce(deps, signal, () => {
        failures = 0;
      });
    } catch (error) {
      const stop = stopOf(error);
      if (stop !== null && !signal.aborted) return deps.onStop(stop);
    }
    if (!signal.aborted) await pause.wait(retryDelayMs(failures, random(), null), signal);
  }
}

/** Reads one connection to its end. */
async function readOnce(deps: StreamDeps, signal: AbortSignal, onNews: () => void): Promise<void> {
  const connection = new AbortController();
  const end = () => connection.abort();
  let silence = setTimeout(end, SILENT_MS);
  signal.addEventListener('abort', end);
  try {
    const body = await deps.open(connection.signal);
    const onEvent = (event: StreamEvent) => {
      const news = newsIn(event);
      if (news === null || signal.aborted) return;
      onNews();
      deps.onNews(news);
    };
    await readEvents(body, onEvent, () => {
      clearTimeout(silence);
      silence = setTimeout(end, SILENT_MS);
    });
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', end);
  }
}

/** The update in an event, or `null` for other and invalid events. */
function newsIn({ name, data }: StreamEvent): AttemptNews | null {
  if (name !== 'news') return null;
  try {
    return AttemptNews.parse(JSON.parse(data));
  } catch (cause) {
    logProblem('An event of the attempt could not be read', cause);
    return null;
  }
}
