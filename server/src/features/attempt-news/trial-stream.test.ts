import { ServiceTime } from '@invigil/core/contract/attempts/connection-check';
import { CONNECTION_CHECK } from '@invigil/core/domain/limits';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openTrialStream } from './trial-stream.ts';

const { events, everyMs } = CONNECTION_CHECK;
const clock = { now: () => new Date('2026-05-14T07:00:00Z') };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => vi.useRealTimers());

it('sends the time of the service one after the other, and ends', async () => {
  const stream = openTrialStream(clock);
  const seen: string[] = [];
  stream.on('data', (chunk) => seen.push(String(chunk)));
  for (let i = 1; i <= events; i += 1) {
    await vi.waitFor(() => expect(seen).toHaveLength(i));
    vi.advanceTimersByTime(everyMs);
  }
  const [, name, data = ''] = /^event: (\w+)\ndata: (.*)\n\n$/.exec(seen[0] ?? '') ?? [];
  expect([name, ServiceTime.parse(JSON.parse(data)).at]).toEqual([
    'time',
    '2026-05-14T07:00:00.000Z',
  ]);
  await vi.waitFor(() => expect(stream.readableEnded).toBe(true));
  expect(vi.getTimerCount()).toBe(0);
});

it('leaves no timer when its reader goes', async () => {
  const stream = openTrialStream(clock);
  stream.destroy();
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0));
});
