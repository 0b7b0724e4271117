import { expect, test, vi } from 'vitest';
import { openCamera } from './camera.ts';

test('opens the user-facing camera at 640 x 480 until the signal aborts', async () => {
  const stop = vi.fn();
  const stream = { getTracks: () => [{ stop }] };
  const getUserMedia = vi.fn(async () => stream);
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } });
  const ended = new AbortController();
  expect(await openCamera(ended.signal)).toBe(stream);
  expect(getUserMedia).toHaveBeenCalledExactlyOnceWith({
    video: { width: { ideal: 640 }, height: { ideal: 480 }, facingMode: 'user' },
  });
  expect(stop).not.toHaveBeenCalled();
  ended.abort();
  expect(stop).toHaveBeenCalledTimes(1);
});
