import { retryDelayMs } from '../../../answer-sync/back-off.ts';
import { RetryPause } from '../../../answer-sync/retry-pause.ts';
import { ApiError, mayPass } from '../../../net/api.ts';
import { readEvents, type StreamEvent } from '../../../net/event-stream.ts';

export interface StreamDeps {
  open(signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  onEvent(event: StreamEvent): void;
  /** Whether the connection is up; it is retried while down. */
  onLine(isUp: boolean): void;
  /** The server refused permanently; no retry. */
  onRefused(error: ApiError): void;
  random?: () => number;
}

/** Longer than the keep-alive interval; after it the connection is considered dead. */
const SILENT_MS = 40_000;

/**
 * Follows an event stream until the signal aborts or the server refuses; reconnects when the stream
 * ends.
 */
export async function followStream(deps: StreamDeps, signal: AbortSignal): Promise<void> {
  const { random = Math.random } = deps;
  const pause = new RetryPause();
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      await readOnce(deps, signal, () => {
        failures = 0;
      });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && !mayPass(error)) {
        return deps.onRefused(error);
      }
    }
    if (signal.aborted) return;
    deps.onLine(false);
    await pause.wait(retryDelayMs(failures, random(), null), signal);
  }
}

async function readOnce(deps: StreamDeps, signal: AbortSignal, onGood: () => void): Promise<void> {
  const line = new AbortController();
  const end = () => line.abort();
  let silence = setTimeout(end, SILENT_MS);
  signal.addEventListener('abort', end);
  try {
    const body = await deps.open(line.signal);
    const onEvent = (event: StreamEvent) => {
      if (signal.aborted) return;
      onGood();
      deps.onLine(true);
      deps.onEvent(event);
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
