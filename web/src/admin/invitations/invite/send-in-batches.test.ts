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

test('reports what was sent before a failure and what was not', async () => {
  const broken = new Error('no answer');
  const send = vi.fn(echo).mockImplementationOnce(echo).mockRejectedValueOnce(broken);
  const { signal } = running();
  const sent = await sendInBatches(addresses, 10, send, { signal, onProgress: () => undefined });
  expect(sent).toEqual({
    results: addresses.slice(0, 10),
    unanswered: [],
    unsent: addresses.slice(10),
    error: broken,
  });
  expect(send).toHaveBeenCalledTimes(2);
});

test('reports a batch without a response as unknown and the rest as not sent', async () => {
  const lost = new ConnectionError('unreachable', new TypeError('Failed to fetch'));
  const send = vi.fn(echo).mockImplementationOnce(echo).mockRejectedValueOnce(lost);
  const { signal } = running();
  const sent = await sendInBatches(addresses, 10, send, { signal, onProgress: () => undefined });
  expect(sent).toEqual({
    results: addresses.slice(0, 10),
    unanswered: addresses.slice(10, 20),
    unsent: addresses.slice(20),
    error: lost,
  });
});
