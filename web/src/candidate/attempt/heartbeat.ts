import type { AttemptNews } from '@invigil/core/contract/own-participant';
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
 * Every 10 s as long as the attempt runs, and at once when there is reason to ask: the page is
 * shown again, the network is back, or the device clock ran away from the page's own (a laptop that
 * slept, a clock that was set). A beat that fails is not repeated: the next one comes anyway.
 */
export function keepBeating(deps: HeartbeatDeps, signal: AbortSignal): { beatNow(): void } {
  let seq = 0;
  let underWay = false;

  const beat = async () => {
    if (underWay || signal.aborted) return;
    underWay = true;
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
      underWay = false;
    }
  };

  const clocks = () => ({ wall: Date.now(), monotonic: performance.now() });
  let before = clocks();
  const check = () => {
    const after = clocks();
    if (clocksRanApart(before, after)) void beat();
    before = after;
  };

  const beating = setInterval(() => void beat(), ATTEMPT_LIMITS.heartbeatEveryMs);
  const checking = setInterval(check, SCREEN_LIMITS.timestampCheckMs);
  signal.addEventListener('abort', () => {
    clearInterval(beating);
    clearInterval(checking);
  });
  return { beatNow: () => void beat() };
}
