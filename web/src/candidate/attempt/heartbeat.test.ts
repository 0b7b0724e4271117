import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, ConnectionError } from '../../net/api.ts';
import { type HeartbeatDeps, startHeartbeat } from './heartbeat.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
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

test('does not retry a failed heartbeat and sends the next one on time', async () => {
  const { send, onNews, onStop } = heartbeat(() =>
    Promise.reject(new ConnectionError('unreachable', null)),
  );
  await pass(10_000);
  expect(send).toHaveBeenCalledTimes(1);
  await pass(9_999);
  expect(send).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(send).toHaveBeenCalledTimes(2);
  expect(onNews).not.toHaveBeenCalled();
  expect(onStop).not.toHaveBeenCalled();
});

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
