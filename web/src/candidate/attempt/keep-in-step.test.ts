import type { MonitorReport } from '@invigil/core/contract/attempts/own-participant';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../net/api.ts';
import { stopTime } from '../../testing/browser-stubs.ts';
import { type HeartbeatDeps, keepInStep, startHeartbeat } from './keep-in-step.ts';

stopTime();
beforeEach(() => {
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', new EventTarget());
});

test('sends heartbeats every 10 s and checks the stored start every 30 s while offline', async () => {
  const fetch = vi.fn((url: string) => Promise.reject(new TypeError(`cannot reach ${url}`)));
  vi.stubGlobal('fetch', fetch);
  const on = { onNews: vi.fn(), onStop: vi.fn(), onTick: vi.fn(), onTimestampCheck: vi.fn() };
  const ended = new AbortController();
  keepInStep(
    { participantId: 'p', monitorReport: () => ({}), focused: () => undefined, ...on },
    ended.signal,
  );
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
      focused: () => [],
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
  let focused: number[] | undefined;
  const deps = { participantId: 'p', monitorReport: () => word, focused: () => focused, ...on };
  keepInStep(deps, ended.signal);
  await vi.advanceTimersByTimeAsync(10_000);
  word = { face: 'starting' };
  focused = [4, 6];
  await vi.advanceTimersByTimeAsync(10_000);
  expect(bodies).toEqual([{ seq: 1 }, { seq: 2, monitor: { face: 'starting' }, focused: [4, 6] }]);
  ended.abort();
});

const news = {
  status: 'in_progress',
  remainingMs: 60_000,
  deadlineAt: '2026-05-14T10:25:00.000Z',
  submissionType: null,
  violationCount: 0,
  messageCount: 0,
} as const;

function heartbeat(send: HeartbeatDeps['send']) {
  const ended = new AbortController();
  const onNews = vi.fn();
  const onStop = vi.fn();
  const spy = vi.fn(send);
  const { sendNow } = startHeartbeat({ send: spy, onNews, onStop }, ended.signal);
  return { send: spy, onNews, onStop, sendNow, end: () => ended.abort() };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('reports a replaced session', async () => {
  const { onStop } = heartbeat(() =>
    Promise.reject(new ApiError({ status: 401, code: 'SESSION_REPLACED', sentence: '' })),
  );
  await pass(10_000);
  expect(onStop).toHaveBeenCalledWith({ kind: 'replaced' });
});

test('sends no heartbeat while one is in flight', async () => {
  const { send, sendNow } = heartbeat(() => new Promise(() => undefined));
  await pass(10_000);
  sendNow();
  await pass(5_000);
  expect(send).toHaveBeenCalledTimes(1);
});

test('sends increasing numbers, reports updates, and stops on abort', async () => {
  const { send, onNews, end } = heartbeat(() => Promise.resolve(news));
  await pass(20_000);
  expect(send.mock.calls.map(([seq]) => seq)).toEqual([1, 2]);
  expect(onNews).toHaveBeenCalledTimes(2);
  end();
  await pass(60_000);
  expect(send).toHaveBeenCalledTimes(2);
});

test('sends a heartbeat at once after a jump of the device clock', async () => {
  const { send } = heartbeat(() => Promise.resolve(news));
  await pass(29_000);
  vi.setSystemTime(Date.now() + 86_400_000);
  await pass(1_000);
  // Three on time (10, 20, 30 s); that of the check coincides with the third.
  expect(send.mock.calls.length).toBeGreaterThanOrEqual(3);
});
