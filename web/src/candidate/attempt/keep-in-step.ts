import {
  AttemptNews,
  type MonitorReport,
  streamParticipant,
} from '@invigil/core/contract/attempts/own-participant';
import { ATTEMPT_LIMITS, SCREEN_LIMITS } from '@invigil/core/domain/limits';
import { callForFile } from '../../net/api.ts';
import { followStream } from '../../net/event-stream.ts';
import { watchPage } from '../../net/retry.ts';
import { type Stop, stopOf } from '../../net/stop.ts';
import { sendHeartbeat } from './api.ts';
import { clocksRanApart } from './attempt-clock.ts';

/** Interval of the countdown, milliseconds. */
const TICK_MS = 250;

export interface StepDeps {
  participantId: string;
  /** The monitor's state, for the heartbeat; `undefined` while monitoring is not running. */
  monitorReport(): MonitorReport | undefined;
  /** Seconds of each question in view; `undefined`: none was yet. */
  focused(): number[] | undefined;
  /** `tookMs`: from the request to the reply, if there was a request. */
  onNews(news: AttemptNews, tookMs?: number): void;
  onStop(stop: Stop): void;
  onTick(): void;
  /** The specification's check of the stored start, every 30 s. */
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
        const body = { seq, monitor: deps.monitorReport(), focused: deps.focused() };
        return sendHeartbeat(participantId, body, request);
      },
      onNews,
      onStop,
    },
    signal,
  );
  const following = followStream(
    {
      open: (line) =>
        callForFile(streamParticipant, { params: { id: participantId }, signal: line }),
      event: 'news',
      schema: AttemptNews,
      onEvent: (news) => onNews(news),
      isRefused: (error) => {
        const stop = stopOf(error);
        if (stop !== null) onStop(stop);
        return stop !== null;
      },
    },
    signal,
  );
  const back = () => {
    heartbeat.sendNow();
    following.reconnectNow();
  };
  watchPage({ back }, signal);
  const ticking = setInterval(deps.onTick, TICK_MS);
  const checking = setInterval(deps.onTimestampCheck, SCREEN_LIMITS.timestampCheckMs);
  signal.addEventListener('abort', () => {
    clearInterval(ticking);
    clearInterval(checking);
  });
}

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
