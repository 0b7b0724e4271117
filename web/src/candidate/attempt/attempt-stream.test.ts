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

/** A line of the server's that tests write on; it dies when the reader gives it up. */
class Line {
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
  const lines: Line[] = [];
  const ended = new AbortController();
  const onNews = vi.fn();
  const onStop = vi.fn();
  const opening = vi.fn(
    open ??
      (async (signal: AbortSignal) => {
        const line = new Line(signal);
        lines.push(line);
        return line.body;
      }),
  );
  const stream = followNews({ open: opening, onNews, onStop, random: () => 0 }, ended.signal);
  return { lines, opening, onNews, onStop, ...stream, end: () => ended.abort() };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('a replaced session is told, and the line is not opened again', async () => {
  const { opening, onStop } = following(() =>
    Promise.reject(new ApiError({ status: 401, code: 'SESSION_REPLACED', sentence: '' })),
  );
  await pass(60_000);
  expect(onStop).toHaveBeenCalledExactlyOnceWith({ kind: 'replaced' });
  expect(opening).toHaveBeenCalledTimes(1);
});

test('what is no news of ours is left out, and what follows is read', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { lines, onNews } = following();
  await pass(0);
  lines[0]?.write(frame({ status: 'made up' }) + frame(news, 'other') + frame(news));
  await pass(0);
  expect(onNews).toHaveBeenCalledExactlyOnceWith(news);
  expect(warn).toHaveBeenCalledTimes(1);
});

test('without a connection it is tried again, ever more rarely, and at once when it is back', async () => {
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

test('a line that ends is opened again, and its news arrive like the first ones', async () => {
  const { lines, onNews } = following();
  await pass(0);
  lines[0]?.write(frame(news));
  lines[0]?.end();
  await pass(1_000);
  expect(lines).toHaveLength(2);
  lines[1]?.write(frame({ ...news, messageCount: 2 }));
  await pass(0);
  expect(onNews.mock.calls.map(([told]) => told.messageCount)).toEqual([1, 2]);
});

test('a silent line is given up after 40 s; a sign of life keeps it', async () => {
  const { lines } = following();
  await pass(39_000);
  lines[0]?.write(':\n\n');
  await pass(39_000);
  expect(lines).toHaveLength(1);
  await pass(2_000);
  expect(lines[0]?.signal.aborted).toBe(true);
  expect(lines).toHaveLength(2);
});

test('after the end nothing is read and nothing opened', async () => {
  const { lines, opening, onNews, end } = following();
  await pass(0);
  end();
  await pass(60_000);
  expect(lines[0]?.signal.aborted).toBe(true);
  expect(opening).toHaveBeenCalledTimes(1);
  expect(onNews).not.toHaveBeenCalled();
});
