import { afterEach, expect, it, onTestFinished, test, vi } from 'vitest';
import { openCamera, openMicrophone, watchLiveness } from './streams.ts';

test('opens the user-facing camera at 640 x 480 until the signal aborts', async () => {
  const stop = vi.fn();
  const stream = { getTracks: () => [{ stop }] };
  const getUserMedia = vi.fn(async (_: MediaStreamConstraints) => stream);
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } });
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    removeItem: (name: string) => stored.delete(name),
  });
  const ended = new AbortController();
  expect(await openCamera(ended.signal)).toBe(stream);
  expect(getUserMedia).toHaveBeenCalledExactlyOnceWith({
    video: { width: { ideal: 640 }, height: { ideal: 480 }, facingMode: 'user' },
  });
  expect(stop).not.toHaveBeenCalled();
  ended.abort();
  expect(stop).toHaveBeenCalledTimes(1);
  // Preferred, but not demanded: it may be unplugged.
  stored.set('chosenCamera', JSON.stringify('second'));
  await openCamera(new AbortController().signal);
  expect(getUserMedia).toHaveBeenLastCalledWith({
    video: expect.objectContaining({ deviceId: { ideal: 'second' } }),
  });
  // Refused by the candidate it stays chosen; used by another program it does not.
  getUserMedia.mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'));
  await expect(openCamera(ended.signal)).rejects.toThrow('no');
  expect(stored.size).toBe(1);
  getUserMedia.mockRejectedValueOnce(new DOMException('busy', 'NotReadableError'));
  expect(await openCamera(new AbortController().signal)).toBe(stream);
  expect(getUserMedia).toHaveBeenLastCalledWith({
    video: expect.not.objectContaining({ deviceId: expect.anything() }),
  });
  expect(stored.size).toBe(0);
});

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

test('checks a stream every 2 s and reports once that it has ended', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const track = { readyState: 'live' };
  const stream = { getTracks: () => [track] } as unknown as MediaStream;
  const onLost = vi.fn();
  watchLiveness(stream, onLost, new AbortController().signal);
  vi.advanceTimersByTime(60_000);
  expect(onLost).not.toHaveBeenCalled();
  // A track that the page itself stops fires no event: only the poll detects it.
  track.readyState = 'ended';
  vi.advanceTimersByTime(2_000);
  expect(onLost).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(60_000);
  expect(onLost).toHaveBeenCalledTimes(1);
});
