import { expect, test, vi } from 'vitest';
import { ApiError } from '../../../net/api.ts';
import type { StreamEvent } from '../../../net/event-stream.ts';
import { followStream } from './follow-stream.ts';

const bytes = (text: string) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });

function listener() {
  const events: StreamEvent[] = [];
  const lines: boolean[] = [];
  const refused: ApiError[] = [];
  return {
    events,
    lines,
    refused,
    deps: {
      onEvent: (event: StreamEvent) => events.push(event),
      onLine: (isUp: boolean) => lines.push(isUp),
      onRefused: (error: ApiError) => refused.push(error),
      random: () => 0,
    },
  };
}

const refusal = (status: number) => new ApiError({ status, code: 'X', sentence: 'No' });

test('reports a refusal and does not retry', async () => {
  const { deps, refused } = listener();
  const open = vi.fn(() => Promise.reject(refusal(403)));
  await followStream({ ...deps, open }, new AbortController().signal);
  expect(open).toHaveBeenCalledTimes(1);
  expect(refused).toHaveLength(1);
});

test('reopens a broken stream and reports that it is down until then', async () => {
  vi.useFakeTimers();
  try {
    const { deps, events, lines } = listener();
    const end = new AbortController();
    const open = vi.fn(() => {
      if (open.mock.calls.length === 2) return Promise.reject(new TypeError('network'));
      return Promise.resolve(bytes(`event: board\ndata: ${open.mock.calls.length}\n\n`));
    });
    const followed = followStream({ ...deps, open }, end.signal);
    await vi.advanceTimersByTimeAsync(2_500);
    end.abort();
    await vi.runAllTimersAsync();
    await followed;
    expect(events.map(({ data }) => data)).toEqual(['1', '3']);
    expect(lines).toEqual([true, false, false, true, false]);
  } finally {
    vi.useRealTimers();
  }
});
