import type { LiveAttempt } from '@invigil/core/contract/review/live';
import { getLiveCount, LiveFrame, streamLive } from '@invigil/core/contract/review/live';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError, callForFile, mayPass } from '../../../net/api.ts';
import { endpointQuery } from '../../../net/endpoint-query.ts';
import { followStream } from '../../../net/event-stream.ts';

interface LiveBoard {
  /** `null` before the first frame. */
  board: Board | null;
  /** Frames arrive. While they do not, the board keeps its last state. */
  isUp: boolean;
  refused: ApiError | null;
}

export function useLiveBoard(): LiveBoard {
  const client = useQueryClient();
  const [live, setLive] = useState<LiveBoard>({ board: null, isUp: true, refused: null });

  useEffect(() => {
    const end = new AbortController();
    followStream(
      {
        open: (signal) => callForFile(streamLive, { signal }),
        event: 'board',
        schema: LiveFrame,
        onEvent: (frame) =>
          setLive(({ board, ...now }) => ({
            ...now,
            isUp: true,
            board: applyFrame(board, frame, performance.now()),
          })),
        onDown: () => setLive((now) => (now.isUp ? { ...now, isUp: false } : now)),
        isRefused: (error) => {
          if (!(error instanceof ApiError) || mayPass(error)) return false;
          setLive((now) => ({ ...now, isUp: false, refused: error }));
          // Only requests detect an ended session; a stream does not.
          void client.refetchQueries(endpointQuery(getLiveCount, {}));
          return true;
        },
      },
      end.signal,
    );
    return () => end.abort();
  }, [client]);

  return live;
}

/** The state of the board: frames contain only changes. */
export interface Board {
  attempts: ReadonlyMap<string, LiveAttempt>;
  /** When each attempt's time is up, by the server's clock in milliseconds. */
  endsAt: ReadonlyMap<string, number>;
  quizzes: NonNullable<LiveFrame['quizzes']>;
  ended: NonNullable<LiveFrame['ended']>;
  at: string;
  /** Offset from this page's monotonic clock to the server's. */
  clockOffsetMs: number;
}

/** Latency varies between frames; a jumping clock would make every countdown stutter. */
const STEADY_MS = 500;

/**
 * The board after a frame. An attempt that did not change stays the same object, so that its tile
 * is not rendered again.
 *
 * @param board `null` before the first frame
 * @param receivedAtMs of this page's monotonic clock
 */
export function applyFrame(board: Board | null, frame: LiveFrame, receivedAtMs: number): Board {
  const serverMs = Date.parse(frame.at);
  const offset = serverMs - receivedAtMs;
  const before = frame.isWhole ? null : board;
  const attempts = new Map(before?.attempts);
  const endsAt = new Map(before?.endsAt);
  for (const attempt of frame.attempts) {
    attempts.set(attempt.id, attempt);
    const goesOnMs = attempt.pause?.until ? Date.parse(attempt.pause.until) : serverMs;
    endsAt.set(attempt.id, goesOnMs + attempt.remainingMs);
  }
  for (const id of frame.gone) {
    attempts.delete(id);
    endsAt.delete(id);
  }
  const known = board?.clockOffsetMs;
  return {
    attempts,
    endsAt,
    quizzes: frame.quizzes ?? board?.quizzes ?? [],
    ended: frame.ended ?? board?.ended ?? [],
    at: frame.at,
    clockOffsetMs: known !== undefined && Math.abs(known - offset) < STEADY_MS ? known : offset,
  };
}
