import { beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { ApiError, ConnectionError } from './api-error.ts';
import { EventParser, type FollowedStream, followStream } from './event-stream.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  return () => vi.useRealTimers();
});

const all = (...pieces: string[]) => {
  const parser = new EventParser();
  return pieces.flatMap((piece) => parser.push(piece));
};

test('ignores comments, empty frames and incomplete events', () => {
  expect(all(':\n\n', '\n\n', 'event: news\n\n', 'data: cut off')).toEqual([]);
});

test('parses an event split at any point, with any line ending', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const text = `event: news${end}data: one${end}data: two${end}${end}data: next${end}${end}.`;
    for (let cut = 0; cut <= text.length; cut += 1) {
      expect(all(text.slice(0, cut), text.slice(cut)), `${JSON.stringify(end)} ${cut}`).toEqual([
        { name: 'news', data: 'one\ntwo' },
        { name: 'message', data: 'next' },
      ]);
    }
  }
});

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

  /** Sends a text in one piece, or in pieces of so many bytes. */
  write(text: string, pieceBytes = Number.POSITIVE_INFINITY) {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      this.#controller?.enqueue(bytes.slice(at, at + pieceBytes));
    }
  }

  end() {
    this.#controller?.close();
  }
}

const News = z.object({ count: z.int(), text: z.string() });
const frame = (data: unknown, event = 'news') =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
const news = (count: number) => ({ count, text: 'grüße' });

function following(open?: FollowedStream<unknown>['open']) {
  const connections: Connection[] = [];
  const ended = new AbortController();
  const onEvent = vi.fn();
  const onDown = vi.fn();
  const isRefused = vi.fn((error: unknown) => error instanceof ApiError && error.status === 401);
  const opening = vi.fn(
    open ??
      (async (signal: AbortSignal) => {
        const connection = new Connection(signal);
        connections.push(connection);
        return new Response(connection.body);
      }),
  );
  const stream = { open: opening, event: 'news', schema: News, onEvent, onDown, isRefused };
  const { reconnectNow } = followStream(stream, ended.signal);
  return { connections, opening, onEvent, onDown, reconnectNow, end: () => ended.abort() };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('does not reconnect after a refusal', async () => {
  const { opening, onDown } = following(() =>
    Promise.reject(new ApiError({ status: 401, code: 'SESSION_REPLACED', sentence: '' })),
  );
  await pass(60_000);
  expect(opening).toHaveBeenCalledTimes(1);
  expect(onDown).not.toHaveBeenCalled();
});

test('skips unknown events and reads the next ones', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { connections, onEvent } = following();
  await pass(0);
  connections[0]?.write(frame({ count: 'made up' }) + frame(news(1), 'other') + frame(news(1)));
  await pass(0);
  expect(onEvent).toHaveBeenCalledExactlyOnceWith(news(1));
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

test('reconnects after the stream ends, reads its events, and reports that it was down', async () => {
  const { connections, onEvent, onDown } = following();
  await pass(0);
  // The two bytes of a character arrive separately.
  connections[0]?.write(frame(news(1)), 1);
  connections[0]?.end();
  await pass(0);
  expect(onDown).toHaveBeenCalledTimes(1);
  await pass(1_000);
  expect(connections).toHaveLength(2);
  connections[1]?.write(frame(news(2)));
  await pass(0);
  expect(onEvent.mock.calls).toEqual([[news(1)], [news(2)]]);
  expect(onDown).toHaveBeenCalledTimes(1);
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
  const { connections, opening, onEvent, end } = following();
  await pass(0);
  end();
  await pass(60_000);
  expect(connections[0]?.signal.aborted).toBe(true);
  expect(opening).toHaveBeenCalledTimes(1);
  expect(onEvent).not.toHaveBeenCalled();
});
