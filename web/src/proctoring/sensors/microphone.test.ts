import { afterEach, expect, it, vi } from 'vitest';
import { openMicrophone } from './microphone.ts';

const NO_PROCESSING = {
  echoCancellation: false,
  noiseSuppression: false,
  autoGainControl: false,
};

function fakeMedia() {
  const track = { stop: vi.fn() };
  const getUserMedia = vi.fn(async (_: MediaStreamConstraints) => ({ getTracks: () => [track] }));
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } });
  return { track, getUserMedia };
}

afterEach(() => vi.unstubAllGlobals());

it('stops a stream that is no longer needed', async () => {
  const { track } = fakeMedia();
  const ended = new AbortController();
  await openMicrophone({ ios: false }, ended.signal);
  expect(track.stop).not.toHaveBeenCalled();
  ended.abort();
  expect(track.stop).toHaveBeenCalledOnce();
  await expect(openMicrophone({ ios: false }, ended.signal)).rejects.toThrow(/no longer needed/);
  expect(track.stop).toHaveBeenCalledTimes(2);
});

it.each([
  [false, NO_PROCESSING],
  [true, { ...NO_PROCESSING, sampleRate: 44_100, channelCount: 1 }],
])('asks for unprocessed sound; on iOS (%s) for 44,100 Hz and one channel', async (ios, audio) => {
  const { getUserMedia } = fakeMedia();
  await openMicrophone({ ios }, new AbortController().signal);
  expect(getUserMedia).toHaveBeenCalledExactlyOnceWith({ audio });
});
