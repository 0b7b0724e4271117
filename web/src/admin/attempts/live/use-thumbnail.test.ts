import { expect, test, vi } from 'vitest';
import { stopTime } from '../../../testing/browser-stubs.ts';
import { refusal } from '../../../testing/fixtures.ts';
import { followThumbnails, type ThumbnailState } from './person-dialog.tsx';

const streamOf = (...thumbnails: object[]) =>
  new Response(
    thumbnails.map((one) => `event: thumbnail\ndata: ${JSON.stringify(one)}\n\n`).join(''),
  );

stopTime();

test('reconnects with the last picture after a failure, and stops when refused after the end', async () => {
  const none = { at: null, jpeg: null };
  const at = '2026-05-14T10:10:00.000Z';
  const replies = [
    streamOf(none, { at, jpeg: 'AAAA' }),
    streamOf(none),
    refusal(409, 'NOT_RUNNING'),
  ];
  const fetched = vi.fn(async () => replies.shift() ?? Response.error());
  vi.stubGlobal('fetch', fetched);
  vi.stubGlobal('document', { cookie: '' });
  let thumbnail: ThumbnailState = { picture: null, isUp: true, refused: null };
  const followed = followThumbnails(
    'p',
    (change) => {
      thumbnail = change(thumbnail);
    },
    new AbortController().signal,
  );
  await vi.advanceTimersByTimeAsync(0);
  const picture = { at, jpeg: 'AAAA' };
  expect(thumbnail).toEqual({ picture, isUp: false, refused: null });
  while (fetched.mock.calls.length < 2) await vi.advanceTimersByTimeAsync(100);
  expect(thumbnail.picture).toEqual(picture);
  await vi.advanceTimersByTimeAsync(15_000);
  await followed;
  expect(thumbnail).toMatchObject({
    picture: null,
    isUp: false,
    refused: { code: 'NOT_RUNNING' },
  });
  expect(fetched).toHaveBeenCalledTimes(3);
});
