import type { z } from 'zod';
import { logProblem } from '../lib/problem-log.ts';
import { ConnectionError } from './api-error.ts';
import { RetryPause, retryDelayMs } from './retry.ts';

/**
 * The server sends a keep-alive every 15 s. After this long without one the connection is dead, even if
 * the browser reports it as open.
 */
const SILENT_MS = 40_000;

export interface FollowedStream<T> {
  open(signal: AbortSignal): Promise<Response>;
  /** The events to read, and their content; all others are skipped. */
  event: string;
  schema: z.ZodType<T>;
  onEvent(content: T): void;
  /** The connection has ended; it is opened again after a pause. */
  onDown?(): void;
  /** Whether the connection was refused for good: then nothing follows. */
  isRefused(error: unknown): boolean;
}

/**
 * Follows an event stream until the signal aborts or the server refuses, and reconnects with back-off.
 * Based on `fetch`, because EventSource stops on a refusal and hides its reason.
 */
export function followStream<T>(
  stream: FollowedStream<T>,
  signal: AbortSignal,
): { reconnectNow(): void } {
  const pause = new RetryPause();
  void follow(stream, pause, signal);
  return { reconnectNow: () => pause.endNow() };
}

async function follow<T>(
  stream: FollowedStream<T>,
  pause: RetryPause,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      await readOnce(stream, signal, () => {
        failures = 0;
      });
    } catch (error) {
      if (signal.aborted || stream.isRefused(error)) return;
    }
    if (signal.aborted) return;
    stream.onDown?.();
    await pause.wait(retryDelayMs(failures), signal);
  }
}

/** Reads one connection to its end. */
async function readOnce<T>(
  { open, event, schema, onEvent }: FollowedStream<T>,
  signal: AbortSignal,
  onGood: () => void,
): Promise<void> {
  const connection = new AbortController();
  const end = () => connection.abort();
  let silence = setTimeout(end, SILENT_MS);
  signal.addEventListener('abort', end);
  try {
    const { body } = await open(connection.signal);
    if (body === null) throw new ConnectionError('unreadable', 'a stream without a body');
    const reader = body.getReader();
    const decoder = new TextDecoder();
    const parser = new EventParser();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(silence);
      silence = setTimeout(end, SILENT_MS);
      for (const { name, data } of parser.push(decoder.decode(value, { stream: true }))) {
        const content = name === event ? contentOf(data, schema) : null;
        if (content === null || signal.aborted) continue;
        onGood();
        onEvent(content);
      }
    }
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', end);
  }
}

function contentOf<T>(data: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(data));
  } catch (cause) {
    logProblem('An event of the server could not be read', cause);
    return null;
  }
}

/**
 * Incremental parser of server-sent events, without `id` and `retry`: our streams send the full state
 * after each connection. `eventsource-parser` does the same with 1.3 KB more on the test screen.
 */
export class EventParser {
  #rest = '';
  #name = '';
  #data: string[] = [];

  /** The events completed by this piece. */
  push(piece: string): { name: string; data: string }[] {
    const lines = (this.#rest + piece).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => {
      if (line === '') return this.#end();
      const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
      if (field === 'event') this.#name = value;
      else if (field === 'data') this.#data.push(value);
      return [];
    });
  }

  #end(): { name: string; data: string }[] {
    const event = { name: this.#name || 'message', data: this.#data.join('\n') };
    const isEvent = this.#data.length > 0;
    this.#name = '';
    this.#data = [];
    return isEvent ? [event] : [];
  }
}
