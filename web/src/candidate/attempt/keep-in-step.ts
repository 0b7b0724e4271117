import type { AttemptNews, MonitorReport } from '@invigil/core/contract/own-participant';
import { SCREEN_LIMITS } from '@invigil/core/domain/limits';
import type { Stop } from '../../answer-sync/answer-transport.ts';
import { watchPage } from '../../answer-sync/page-events.ts';
import { openStream, sendHeartbeat } from './api.ts';
import { followNews } from './attempt-stream.ts';
import { keepBeating } from './heartbeat.ts';

/** How often the end of the time is looked for, milliseconds. */
const TICK_MS = 250;

export interface StepDeps {
  participantId: string;
  /** The monitor's word, for the heartbeat; `undefined` while no one watches. */
  monitorReport(): MonitorReport | undefined;
  /** `tookMs`: from the request to the reply, where there was one. */
  onNews(news: AttemptNews, tookMs?: number): void;
  onStop(stop: Stop): void;
  /** A look at the clock. */
  onTick(): void;
  /** The seed's look at what is stored of the start, every 30 s. */
  onTimestampCheck(): void;
}

/**
 * Keeps a running attempt in step with the server, until the signal aborts: the event stream for
 * news at once, the heartbeat every 10 s whatever the stream does, and the look at the clock.
 */
export function keepInStep(deps: StepDeps, signal: AbortSignal): void {
  const { participantId, onNews, onStop } = deps;
  const beating = keepBeating(
    {
      send: (seq, request) => {
        const monitor = deps.monitorReport();
        const beat = monitor === undefined ? { seq } : { seq, monitor };
        return sendHeartbeat(participantId, beat, request);
      },
      onNews,
      onStop,
    },
    signal,
  );
  const open = (line: AbortSignal) => openStream(participantId, line);
  const following = followNews({ open, onNews: (news) => onNews(news), onStop }, signal);
  const back = () => {
    beating.beatNow();
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
