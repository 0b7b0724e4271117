import { OpeningNews, reportWaiting, streamOpening } from '@invigil/core/contract/attempts/opening';
import { HALL_LIMITS } from '@invigil/core/domain/limits';
import { useEffect, useState } from 'react';
import { logProblem } from '../../lib/problem-log.ts';
import { callEndpoint, callForFile, inTime } from '../../net/api.ts';
import { followStream } from '../../net/event-stream.ts';

const TICK_MS = 1_000;

/** When the assessment opens, as last told, and when that was by the page's monotonic clock. */
export interface Opening extends Pick<OpeningNews, 'opensAt' | 'opensInMs' | 'startTogether'> {
  timeZone: string | null;
  toldAt: number;
}

interface Followed {
  opening: Opening;
  /** Until it opens, by the server's clock. */
  leftMs: number;
  /** Since the opening was told. */
  sinceMs: number;
  /** News arrive; while they do not, the page counts on. */
  isUp: boolean;
}

/**
 * Follows when the assessment opens or is started for all.
 *
 * @param isReady nothing is missing but the common start: says so to the server again and again
 */
export function useOpening(first: Opening, isReady = false): Followed {
  const [opening, setOpening] = useState(first);
  const [isUp, setUp] = useState(true);
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const left = new AbortController();
    followStream(
      {
        open: (signal) => callForFile(streamOpening, { signal }),
        event: 'opening',
        schema: OpeningNews,
        onEvent: (news) => {
          setUp(true);
          setOpening({ ...news, toldAt: performance.now() });
        },
        onDown: () => setUp(false),
        isRefused: () => false,
      },
      left.signal,
    );
    return () => left.abort();
  }, []);
  useEffect(() => {
    if (!isReady) return;
    const over = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const report = async () => {
      try {
        // The answer tells of the start where something between holds back the stream.
        const news = await callEndpoint(reportWaiting, { signal: inTime(over.signal) });
        if (!over.signal.aborted) setOpening({ ...news, toldAt: performance.now() });
      } catch (cause) {
        if (!over.signal.aborted) logProblem('Waiting could not be reported; said again', cause);
      }
      if (over.signal.aborted) return;
      timer = setTimeout(
        () => void report(),
        HALL_LIMITS.reportEveryMs * (0.75 + Math.random() / 2),
      );
    };
    void report();
    return () => {
      over.abort();
      clearTimeout(timer);
    };
  }, [isReady]);
  const sinceMs = Math.max(0, now - opening.toldAt);
  const leftMs = Math.max(0, opening.opensInMs - sinceMs);
  const isSettled = leftMs === 0 && opening.startTogether === undefined;
  useEffect(() => {
    if (isSettled) return;
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isSettled]);
  // The moment itself, which the interval would miss by up to a second.
  useEffect(() => {
    if (leftMs === 0 || leftMs > TICK_MS) return;
    const timer = setTimeout(() => setNow(performance.now()), leftMs);
    return () => clearTimeout(timer);
  }, [leftMs]);
  return { opening, leftMs, sinceMs, isUp };
}

export type TogetherState = 'waits' | 'started' | 'late';

/** How far a common start is; null: nobody waits for others. */
export function togetherState({ opening, leftMs, sinceMs }: Followed): TogetherState | null {
  const { startTogether: rule, opensInMs } = opening;
  if (rule === undefined) return null;
  if (leftMs > 0 || (rule.by === 'button' && rule.lateForMs === undefined)) return 'waits';
  // Told before the opening, which the page has counted down to.
  const lateForMs = rule.lateForMs ?? opensInMs + rule.lateMinutes * 60_000;
  return sinceMs < lateForMs ? 'started' : 'late';
}
