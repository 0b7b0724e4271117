import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, ConnectionError } from '../../net/api.ts';
import { followNews, type StreamDeps } from './attempt-stream.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const news = {
  status: 'in_progress',
  submissionType: null,
  remainingMs: 60_000,
  deadlineAt: '2026-05-14T10:25:00.000Z',
  violationCount: 0,
  messageCount: 1,
} as const;
const frame = (data: unknown, event = 'news') =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** A connection that tests write to; it fails when the reader aborts. */
class Connection {
  readonly signal: AbortSignal;
  readonly body: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;

  constructor(signal: AbortSignal) {
    this.signal = signal;
    this.body = new ReadableStream({
      start: (controller) => {
        this.#controller = controller;
        signal.addEventListener('abort', () => controller.error(signal.reason));
      },
    });
  }

  write(text: string) {
    this.#controller?.enqueue(new TextEncoder().encode(text));
  }

  end() {
    this.#controller?.close();
  }
}

function following(open?: StreamDeps['open']) {
  const connections: Connection[] = [];
  const ended = new AbortController();
  const onNews = vi.fn();
  const onStop = vi.fn();
  const opening = vi.fn(
    open ??
      (async (signal: AbortSignal) => {
        const connection = new Connection(signal);
        connections.push(connection);
        return connection.body;
      }),
  );
  const stream = followNews({ open: opening, onNews, onStop, random: () => 0 }, ended.signal);
  return { connections, opening, onNews, onStop, ...stream, end: () => ended.abort() };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('reports a replaced session and does not reconnect', async () => {
  const { opening, onStop } = following(() =>
    Promise.reject(new ApiError({ status: 401, code: 'SESSION_REPLACED', sentence: '' })),
  );
  await pass(60_000);
  expect(onStop).toHaveBeenCalledExactlyOnceWith({ kind: 'replaced' });
  expect(opening).toHaveBeenCalledTimes(1);
});

test('skips unknown events and reads the next ones', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { connections, onNews } = following();
  await pass(0);
  connections[0]?.write(frame({ status: 'made up' }) + frame(news, 'other') + frame(news));
  await pass(0);
  expect(onNews).toHaveBeenCalledExactlyOnceWith(news);
  expect(warn).toHaveBeenCalledTimes(1);
});

test('retries with back-off, and at once when the network is back', async () => {
  const { opening, reconnectNow } = following(() =>
    Promise.reject(new ConnectionError('unreachable', null)),
  );
  await pass(999);
  expect(opening).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(opening).toHaveBeenCalledTimes(2);
  reconnectNow();
  await pass(0);
  expect(opening).toHaveBeenCalledTimes(3);
});

test('reconnects after the stream ends and reads its events', async () => {
  const { connections, onNews } = following();
  await pass(0);
  connections[0]?.write(frame(news));
  connections[0]?.end();
  await pass(1_000);
  expect(connections).toHaveLength(2);
  connections[1]?.write(frame({ ...news, messageCount: 2 }));
  await pass(0);
  expect(onNews.mock.calls.map(([latest]) => latest.messageCount)).toEqual([1, 2]);
});

test('reconnects after 40 s of silence; a keep-alive prevents it', async () => {
  const { connections } = following();
  await pass(39_000);
  connections[0]?.write(':\n\n');
  await pass(39_000);
  expect(connections).toHaveLength(1);
  await pass(2_000);
  expect(connections[0]?.signal.aborted).toBe(true);
  expect(connections).toHaveLength(2);
});

test('neither reads nor reconnects after the signal aborts', async () => {
  const { connections, opening, onNews, end } = following();
  await pass(0);
  end();
  await pass(60_000);
  expect(connections[0]?.signal.aborted).toBe(true);
  expect(opening).toHaveBeenCalledTimes(1);
  expect(onNews).not.toHaveBeenCalled();
});
