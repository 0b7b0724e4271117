import { expect, test, vi } from 'vitest';
import { stopTime } from '../testing/browser-stubs.ts';
import { watchFullscreen } from './sensors/screen.ts';
import { watchLiveness } from './sensors/streams.ts';

stopTime();

test('checks a stream every 2 s and reports once that it has ended', () => {
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

test('polls every 25 ms for the return to fullscreen', () => {
  const page = Object.assign(new EventTarget(), { fullscreenElement: {} as object | null });
  vi.stubGlobal('document', page);
  const onChange = vi.fn();
  watchFullscreen(onChange, new AbortController().signal);
  page.fullscreenElement = null;
  page.dispatchEvent(new Event('fullscreenchange'));
  expect(onChange.mock.calls).toEqual([[false]]);
  // The event may be late or missing: the poll detects the return.
  page.fullscreenElement = {};
  vi.advanceTimersByTime(24);
  expect(onChange).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(onChange.mock.calls).toEqual([[false], [true]]);
});
