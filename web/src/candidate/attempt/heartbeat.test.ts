import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, ConnectionError } from '../../net/api.ts';
import { type HeartbeatDeps, keepBeating } from './heartbeat.ts';

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

function beating(send: HeartbeatDeps['send']) {
  const ended = new AbortController();
  const onNews = vi.fn();
  const onStop = vi.fn();
  const spy = vi.fn(send);
  const { beatNow } = keepBeating({ send: spy, onNews, onStop }, ended.signal);
  return { send: spy, onNews, onStop, beatNow, end: () => ended.abort() };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('a beat that fails is not repeated, and the next one comes on time', async () => {
  const { send, onNews, onStop } = beating(() =>
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

test('a replaced session is told', async () => {
  const { onStop } = beating(() =>
    Promise.reject(new ApiError({ status: 401, code: 'SESSION_REPLACED', sentence: '' })),
  );
  await pass(10_000);
  expect(onStop).toHaveBeenCalledWith({ kind: 'replaced' });
});

test('one at a time: a beat that hangs is not joined by another', async () => {
  const { send, beatNow } = beating(() => new Promise(() => undefined));
  await pass(10_000);
  beatNow();
  await pass(5_000);
  expect(send).toHaveBeenCalledTimes(1);
});

test('numbers that grow, news that arrive, silence after the end', async () => {
  const { send, onNews, end } = beating(() => Promise.resolve(news));
  await pass(20_000);
  expect(send.mock.calls.map(([seq]) => seq)).toEqual([1, 2]);
  expect(onNews).toHaveBeenCalledTimes(2);
  end();
  await pass(60_000);
  expect(send).toHaveBeenCalledTimes(2);
});

test('a device clock that jumps is a reason to ask at once, and nothing else', async () => {
  const { send } = beating(() => Promise.resolve(news));
  await pass(29_000);
  vi.setSystemTime(Date.now() + 86_400_000);
  await pass(1_000);
  // Three on time (10, 20, 30 s); the one of the check falls together with the third.
  expect(send.mock.calls.length).toBeGreaterThanOrEqual(3);
});
