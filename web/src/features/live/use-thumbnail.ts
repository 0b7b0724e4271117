import { Thumbnail, watchParticipant } from '@invigil/core/contract/live';
import { useEffect, useState } from 'react';
import { type ApiError, callForFile } from '../../lib/api.ts';
import { logProblem } from '../../lib/problem-log.ts';
import { followStream } from './follow-stream.ts';

export interface Watched {
  thumbnail: Thumbnail | null;
  isUp: boolean;
  refused: ApiError | null;
}

/** The camera picture of one person, a new one each second, as long as this is on the screen. */
export function useThumbnail(id: string, hasCamera: boolean): Watched {
  const [watched, setWatched] = useState<Watched>({ thumbnail: null, isUp: true, refused: null });
  useEffect(() => {
    if (!hasCamera) return;
    const end = new AbortController();
    void followStream(
      {
        // It ends with the attempt, and then there is nothing more to see.
        again: false,
        open: async (signal) => {
          const { body } = await callForFile(watchParticipant, { params: { id }, signal });
          if (body === null) throw new TypeError('an event stream without a body');
          return body;
        },
        onEvent: ({ name, data }) => {
          if (name !== 'thumbnail') return;
          try {
            const thumbnail = Thumbnail.parse(JSON.parse(data));
            setWatched((now) => ({ ...now, thumbnail }));
          } catch (cause) {
            logProblem('A thumbnail could not be read', cause);
          }
        },
        onLine: (isUp) => setWatched((now) => (now.isUp === isUp ? now : { ...now, isUp })),
        onRefused: (refused) => setWatched({ thumbnail: null, isUp: false, refused }),
      },
      end.signal,
    );
    return () => end.abort();
  }, [id, hasCamera]);
  return watched;
}
