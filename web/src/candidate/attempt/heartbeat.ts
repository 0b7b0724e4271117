import type { AttemptNews } from '@invigil/core/contract/attempts/own-participant';
import { ATTEMPT_LIMITS, SCREEN_LIMITS } from '@invigil/core/domain/limits';
import type { Stop } from '../../answer-sync/answer-transport.ts';
import { stopOf } from '../../answer-sync/endpoint-transport.ts';
import { clocksRanApart } from './attempt-clock.ts';

export interface HeartbeatDeps {
  send(seq: number, signal: AbortSignal): Promise<AttemptNews>;
  /** `tookMs`: from the request to the reply. */
  onNews(news: AttemptNews, tookMs: number): void;
  onStop(stop: Stop): void;
}

/**
 * Sends a heartbeat every 10 s while the attempt runs, and at once when the page or the network is back
 * or the device clock diverged from the monotonic one (sleep, changed clock). Failures are not retried:
 * the next heartbeat follows anyway.
 */
export function startHeartbeat(deps: HeartbeatDeps, signal: AbortSignal): { sendNow(): void } {
  let seq = 0;
  let inFlight = false;

  const send = async () => {
    if (inFlight || signal.aborted) return;
    inFlight = true;
    seq += 1;
    const request = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_LIMITS.heartbeatEveryMs)]);
    const sentAt = performance.now();
    try {
      const news = await deps.send(seq, request);
      if (!signal.aborted) deps.onNews(news, performance.now() - sentAt);
    } catch (error) {
      const stop = stopOf(error);
      if (stop !== null && !signal.aborted) deps.onStop(stop);
    } finally {
      inFlight = false;
    }
  };

  const clocks = () => ({ wall: Date.now(), monotonic: performance.now() });
  let before = clocks();
  const check = () => {
    const after = clocks();
    if (clocksRanApart(before, after)) void send();
    before = after;
  };

  const beating = setInterval(() => void send(), ATTEMPT_LIMITS.heartbeatEveryMs);
  const checking = setInterval(check, SCREEN_LIMITS.timestampCheckMs);
  signal.addEventListener('abort', () => {
    clearInterval(beating);
    clearInterval(checking);
  });
  return { sendNow: () => void send() };
}
