import { expect, test, vi } from 'vitest';
import { openCamera } from './camera.ts';

test('opens the user-facing camera at 640 x 480 until the signal aborts', async () => {
  const stop = vi.fn();
  const stream = { getTracks: () => [{ stop }] };
  const getUserMedia = vi.fn(async (_: MediaStreamConstraints) => stream);
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } });
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', { getItem: (name: string) => stored.get(name) ?? null });
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
});
