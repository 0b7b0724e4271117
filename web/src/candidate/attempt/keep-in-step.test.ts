import type { MonitorReport } from '@invigil/core/contract/attempts/own-participant';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepInStep } from './keep-in-step.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', new EventTarget());
});
afterEach(() => {
  vi.useRealTimers();
});

test('sends heartbeats every 10 s and checks the stored start every 30 s while offline', async () => {
  const fetch = vi.fn((url: string) => Promise.reject(new TypeError(`cannot reach ${url}`)));
  vi.stubGlobal('fetch', fetch);
  const on = { onNews: vi.fn(), onStop: vi.fn(), onTick: vi.fn(), onTimestampCheck: vi.fn() };
  const ended = new AbortController();
  keepInStep({ participantId: 'p', monitorReport: () => ({}), ...on }, ended.signal);
  const heartbeats = () => fetch.mock.calls.filter(([url]) => url.endsWith('/heartbeat')).length;

  await vi.advanceTimersByTimeAsync(29_999);
  expect(heartbeats()).toBe(2);
  expect(on.onTimestampCheck).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(heartbeats()).toBe(3);
  expect(on.onTimestampCheck).toHaveBeenCalledTimes(1);
  // The stream is requested too, and its failure does not stop the rest.
  expect(fetch.mock.calls.some(([url]) => url === '/api/participants/p/events')).toBe(true);
  expect(on.onStop).not.toHaveBeenCalled();

  ended.abort();
  const calls = fetch.mock.calls.length;
  const ticks = on.onTick.mock.calls.length;
  expect(ticks).toBeGreaterThan(100);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(fetch).toHaveBeenCalledTimes(calls);
  expect(on.onTick).toHaveBeenCalledTimes(ticks);
  expect(on.onTimestampCheck).toHaveBeenCalledTimes(1);
});

test('sends a heartbeat at once when the page or the network is back', async () => {
  const fetch = vi.fn((url: string) => Promise.reject(new TypeError(`cannot reach ${url}`)));
  vi.stubGlobal('fetch', fetch);
  const nothing = () => undefined;
  const ended = new AbortController();
  keepInStep(
    {
      participantId: 'p',
      monitorReport: () => ({}),
      onNews: nothing,
      onStop: nothing,
      onTick: nothing,
      onTimestampCheck: nothing,
    },
    ended.signal,
  );
  await vi.advanceTimersByTimeAsync(100);
  fetch.mockClear();
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(fetch.mock.calls.map(([url]) => url).sort()).toEqual([
    '/api/participants/p/events',
    '/api/participants/p/heartbeat',
  ]);
  ended.abort();
});

test('adds the monitor to the heartbeat only while monitoring runs', async () => {
  const bodies: unknown[] = [];
  const fetch = vi.fn((url: string, init?: { body?: unknown }) => {
    if (url.endsWith('/heartbeat')) bodies.push(JSON.parse(String(init?.body)));
    return Promise.reject(new TypeError(`cannot reach ${url}`));
  });
  vi.stubGlobal('fetch', fetch);
  const nothing = () => undefined;
  const on = { onNews: nothing, onStop: nothing, onTick: nothing, onTimestampCheck: nothing };
  const ended = new AbortController();
  let word: MonitorReport | undefined;
  keepInStep({ participantId: 'p', monitorReport: () => word, ...on }, ended.signal);
  await vi.advanceTimersByTimeAsync(10_000);
  word = { face: 'starting' };
  await vi.advanceTimersByTimeAsync(10_000);
  expect(bodies).toEqual([{ seq: 1 }, { seq: 2, monitor: { face: 'starting' } }]);
  ended.abort();
});
