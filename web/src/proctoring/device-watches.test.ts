import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchFullscreen } from './sensors/fullscreen.ts';
import { watchLiveness } from './sensors/stream-liveness.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a stream is looked at every 2 s, and told once when it has ended', () => {
  const track = { readyState: 'live' };
  const stream = { getTracks: () => [track] } as unknown as MediaStream;
  const onLost = vi.fn();
  watchLiveness(stream, onLost, new AbortController().signal);
  vi.advanceTimersByTime(60_000);
  expect(onLost).not.toHaveBeenCalled();
  // A track that the page itself stops says nothing: only looking finds it.
  track.readyState = 'ended';
  vi.advanceTimersByTime(2_000);
  expect(onLost).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(60_000);
  expect(onLost).toHaveBeenCalledTimes(1);
});

test('outside fullscreen the return is looked for every 25 ms', () => {
  const page = Object.assign(new EventTarget(), { fullscreenElement: {} as object | null });
  vi.stubGlobal('document', page);
  const onChange = vi.fn();
  watchFullscreen(onChange, new AbortController().signal);
  page.fullscreenElement = null;
  page.dispatchEvent(new Event('fullscreenchange'));
  expect(onChange.mock.calls).toEqual([[false]]);
  // The event comes late or never: the poll notices.
  page.fullscreenElement = {};
  vi.advanceTimersByTime(24);
  expect(onChange).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(onChange.mock.calls).toEqual([[false], [true]]);
});
