import {
  ServiceTime,
  streamConnectionCheck,
} from '@invigil/core/contract/attempts/connection-check';
import { CONNECTION_CHECK } from '@invigil/core/domain/limits';
import { useEffect, useState } from 'react';
import { callForFile } from '../../net/api.ts';
import { followStream } from '../../net/event-stream.ts';

/** Whether what the server sends by itself arrives at once, as messages during the test do. */
export interface NewsCheck {
  kind: 'checking' | 'good' | 'late';
  /** How far the clock of this device is from the server's, milliseconds; `null` before it is known. */
  clockOffMs: number | null;
}

const UNKNOWN: NewsCheck = { kind: 'checking', clockOffMs: null };
const TIMEOUT_MS = 10_000;

/**
 * Whether events that were sent one after the other arrived so: a proxy that holds them back delivers all at
 * their end.
 *
 * @param arrivals milliseconds, monotonic
 */
export function arriveAtOnce(arrivals: readonly number[]): boolean {
  const { events, everyMs } = CONNECTION_CHECK;
  const tookMs = (arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0);
  return arrivals.length === events && tookMs > ((events - 1) * everyMs) / 2;
}

/**
 * Reads the stream to its end, again until it has arrived as it was sent.
 *
 * @param round another one checks again
 */
export function useNewsCheck(round: number): NewsCheck {
  const [news, setNews] = useState(UNKNOWN);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round is the reason
  useEffect(() => {
    const over = new AbortController();
    let arrivals: number[] = [];
    setNews(UNKNOWN);
    followStream(
      {
        open: (signal) =>
          callForFile(streamConnectionCheck, {
            signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
          }),
        event: 'time',
        schema: ServiceTime,
        onEvent: ({ at }) => {
          arrivals.push(performance.now());
          // Said to the reader, and used for nothing else.
          const clockOffMs = Date.now() - Date.parse(at);
          setNews(({ kind }) => ({ kind, clockOffMs }));
        },
        onDown: () => {
          const kind = arriveAtOnce(arrivals) ? 'good' : 'late';
          arrivals = [];
          setNews(({ clockOffMs }) => ({ kind, clockOffMs }));
          if (kind === 'good') over.abort();
        },
        isRefused: () => false,
      },
      over.signal,
    );
    return () => over.abort();
  }, [round]);
  return news;
}
