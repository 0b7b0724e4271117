import { Thumbnail, watchParticipant } from '@invigil/core/contract/review/live';
import { useEffect, useState } from 'react';
import { logProblem } from '../../lib/problem-log.ts';
import { type ApiError, callForFile } from '../../net/api.ts';
import { followStream } from './board/follow-stream.ts';

export interface ThumbnailState {
  /** The latest picture, of any age; its time is the server's. */
  picture: { at: string; jpeg: string } | null;
  isUp: boolean;
  refused: ApiError | null;
}

const NOTHING_YET: ThumbnailState = { picture: null, isUp: true, refused: null };

/** The camera picture of one candidate, updated every second while mounted. */
export function useThumbnail(id: string, hasCamera: boolean): ThumbnailState {
  const [thumbnail, setThumbnail] = useState(NOTHING_YET);
  useEffect(() => {
    if (!hasCamera) return;
    const end = new AbortController();
    void followThumbnails(id, setThumbnail, end.signal);
    return () => end.abort();
  }, [id, hasCamera]);
  return thumbnail;
}

/**
 * Follows the pictures of one candidate until the signal aborts. Reconnects after a broken connection;
 * once the attempt has ended the server refuses.
 */
export function followThumbnails(
  id: string,
  change: (changed: (now: ThumbnailState) => ThumbnailState) => void,
  signal: AbortSignal,
): Promise<void> {
  return followStream(
    {
      open: async (line) => {
        const { body } = await callForFile(watchParticipant, { params: { id }, signal: line });
        if (body === null) throw new TypeError('an event stream without a body');
        return body;
      },
      onEvent: ({ name, data }) => {
        if (name !== 'thumbnail') return;
        try {
          const { at, jpeg } = Thumbnail.parse(JSON.parse(data));
          // A new connection starts without a picture: keep the last one.
          if (at !== null && jpeg !== null) change((now) => ({ ...now, picture: { at, jpeg } }));
        } catch (cause) {
          logProblem('A thumbnail could not be read', cause);
        }
      },
      onLine: (isUp) => change((now) => (now.isUp === isUp ? now : { ...now, isUp })),
      onRefused: (refused) => change(() => ({ picture: null, isUp: false, refused })),
    },
    signal,
  );
}
