import type { AttemptNews, MonitorReport } from '@invigil/core/contract/attempts/own-participant';
import { SCREEN_LIMITS } from '@invigil/core/domain/limits';
import type { Stop } from '../../answer-sync/answer-transport.ts';
import { watchPage } from '../../answer-sync/page-events.ts';
import { openStream, sendHeartbeat } from './api.ts';
import { followNews } from './attempt-stream.ts';
import { startHeartbeat } from './heartbeat.ts';

/** Interval of the countdown, milliseconds. */
const TICK_MS = 250;

export interface StepDeps {
  participantId: string;
  /** The monitor's state, for the heartbeat; `undefined` while monitoring is not running. */
  monitorReport(): MonitorReport | undefined;
  /** `tookMs`: from the request to the reply, if there was a request. */
  onNews(news: AttemptNews, tookMs?: number): void;
  onStop(stop: Stop): void;
  /** A tick of the countdown. */
  onTick(): void;
  /** The seed's check of the stored start, every 30 s. */
  onTimestampCheck(): void;
}

/**
 * Synchronizes a running attempt with the server until the signal aborts: the event stream for
 * immediate updates, the heartbeat every 10 s in any case, and the countdown.
 */
export function keepInStep(deps: StepDeps, signal: AbortSignal): void {
  const { participantId, onNews, onStop } = deps;
  const heartbeat = startHeartbeat(
    {
      send: (seq, request) => {
        const monitor = deps.monitorReport();
        const body = monitor === undefined ? { seq } : { seq, monitor };
        return sendHeartbeat(participantId, body, request);
      },
      onNews,
      onStop,
    },
    signal,
  );
  const open = (line: AbortSignal) => openStream(participantId, line);
  const following = followNews({ open, onNews: (news) => onNews(news), onStop }, signal);
  const back = () => {
    heartbeat.sendNow();
    following.reconnectNow();
  };
  watchPage({ window, document }, { leaving: () => undefined, back }, signal);
  const ticking = setInterval(deps.onTick, TICK_MS);
  const checking = setInterval(deps.onTimestampCheck, SCREEN_LIMITS.timestampCheckMs);
  signal.addEventListener('abort', () => {
    clearInterval(ticking);
    clearInterval(checking);
  });
}
