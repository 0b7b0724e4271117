import { expect, test, vi } from 'vitest';
import { ConnectionError } from '../../../net/api.ts';
import { sendInBatches } from './use-in-batches.ts';

const addresses = Array.from({ length: 25 }, (_, i) => `n${i}@example.org`);
const running = () => new AbortController();
const echo = async (batch: string[]) => batch;

test('sends everything in batches and reports progress', async () => {
  const onProgress = vi.fn();
  const send = vi.fn(echo);
  const sent = await sendInBatches(addresses, 10, send, { signal: running().signal, onProgress });
  expect(send.mock.calls.map(([batch]) => batch.length)).toEqual([10, 10, 5]);
  expect(sent).toEqual({ results: addresses, unanswered: [], unsent: [], error: null });
  expect(onProgress.mock.calls.flat()).toEqual([10, 20, 25]);
});

test('waits for the running batch on cancel and returns the rest', async () => {
  const cancel = running();
  const sent = await sendInBatches(
    addresses,
    10,
    async (batch) => {
      cancel.abort();
      return batch;
    },
    { signal: cancel.signal, onProgress: () => undefined },
  );
  expect(sent).toEqual({
    results: addresses.slice(0, 10),
    unanswered: [],
    unsent: addresses.slice(10),
    error: null,
  });
});

const lost = new ConnectionError('unreachable', new TypeError('Failed to fetch'));
test.each([
  ['a refused batch as not sent', new Error('no answer'), 10],
  ['a batch without a response as unknown', lost, 20],
])('reports %s, the rest as not sent and what was sent before', async (_, error, from) => {
  const send = vi.fn(echo).mockImplementationOnce(echo).mockRejectedValueOnce(error);
  const { signal } = running();
  const sent = await sendInBatches(addresses, 10, send, { signal, onProgress: () => undefined });
  expect(sent).toEqual({
    results: addresses.slice(0, 10),
    unanswered: addresses.slice(10, from),
    unsent: addresses.slice(from),
    error,
  });
  expect(send).toHaveBeenCalledTimes(2);
});
