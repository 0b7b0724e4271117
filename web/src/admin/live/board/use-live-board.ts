import { getLiveCount, LiveFrame, streamLive } from '@invigil/core/contract/review/live';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { logProblem } from '../../../lib/problem-log.ts';
import { type ApiError, callForFile } from '../../../net/api.ts';
import { endpointQuery } from '../../../net/endpoint-query.ts';
import type { StreamEvent } from '../../../net/event-stream.ts';
import { applyFrame, type Board } from './board-state.ts';
import { followStream } from './follow-stream.ts';

export interface LiveBoard {
  /** `null` before the first frame. */
  board: Board | null;
  /** Frames arrive. While they do not, the board keeps its last state. */
  isUp: boolean;
  refused: ApiError | null;
}

/** Follows all attempts in progress over one event stream, as long as the screen is open. */
export function useLiveBoard(): LiveBoard {
  const client = useQueryClient();
  const [live, setLive] = useState<LiveBoard>({ board: null, isUp: true, refused: null });

  useEffect(() => {
    const end = new AbortController();
    void followStream(
      {
        open: openBoard,
        onEvent: (event) => {
          const frame = frameIn(event);
          if (frame === null) return;
          setLive((now) => ({ ...now, board: applyFrame(now.board, frame, performance.now()) }));
        },
        onLine: (isUp) => setLive((now) => (now.isUp === isUp ? now : { ...now, isUp })),
        onRefused: (refused) => {
          setLive((now) => ({ ...now, isUp: false, refused }));
          // Only requests detect an ended session; a stream does not.
          void client.refetchQueries(endpointQuery(getLiveCount, {}));
        },
      },
      end.signal,
    );
    return () => end.abort();
  }, [client]);

  return live;
}

async function openBoard(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const { body } = await callForFile(streamLive, { signal });
  if (body === null) throw new TypeError('an event stream without a body');
  return body;
}

function frameIn({ name, data }: StreamEvent): LiveFrame | null {
  if (name !== 'board') return null;
  try {
    return LiveFrame.parse(JSON.parse(data));
  } catch (cause) {
    logProblem('A frame of the live board could not be read', cause);
    return null;
  }
}
