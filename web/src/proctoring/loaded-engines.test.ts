import { describe, expect, test, vi } from 'vitest';
import { stopTime, stubWindowEvents } from '../testing/browser-stubs.ts';
import type { Engines, LoadOptions } from './engines/load-engines.ts';
import { LoadedEngines } from './loaded-engines.ts';

function fetched() {
  const ready = Promise.withResolvers<void>();
  const close = vi.fn();
  const requested: LoadOptions[] = [];
  const fetch = vi.fn(async () => ({
    loadEngines: (options: LoadOptions): Engines => {
      requested.push(options);
      return { ready: ready.promise, close, face: {} } as unknown as Engines;
    },
  }));
  return { fetch, ready, close, requested };
}

const BOTH = { face: true, voice: true };

test('fetches nothing until requested, and nothing when no sensor is on', async () => {
  const { fetch } = fetched();
  const engines = new LoadedEngines(fetch);
  engines.want({ face: false, voice: false });
  expect(await engines.coming).toBeNull();
  expect(fetch).not.toHaveBeenCalled();
});

describe('when the detectors cannot be fetched', () => {
  stopTime();
  stubWindowEvents();

  test('stops retrying once closed', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const fetch = vi.fn(() => Promise.reject(new Error('offline')));
    const engines = new LoadedEngines(fetch);
    engines.want(BOTH);
    const { coming } = engines;
    await vi.advanceTimersByTimeAsync(0);
    engines.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await coming).toBeNull();
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});

test('stays for a request that needs less, and is replaced for one that needs more', async () => {
  const { fetch, close, requested } = fetched();
  const engines = new LoadedEngines(fetch);
  engines.want({ face: false, voice: true });
  await engines.coming;
  engines.want(BOTH);
  await engines.coming;
  engines.want({ face: false, voice: true });
  await engines.coming;
  expect(requested).toMatchObject([{ face: false, voice: true }, BOTH]);
  expect(close).toHaveBeenCalledTimes(1);
});

test('reports progress until ready and loads once for the same request', async () => {
  const { fetch, ready, requested } = fetched();
  const engines = new LoadedEngines(fetch);
  engines.want(BOTH);
  engines.want(BOTH);
  expect(engines.getSnapshot()).toEqual({ share: 0, ready: false });
  await engines.coming;
  expect(fetch).toHaveBeenCalledTimes(1);
  expect(engines.face).not.toBeNull();
  requested[0]?.onProgress(0.4);
  expect(engines.getSnapshot()).toEqual({ share: 0.4, ready: false });
  ready.resolve();
  await ready.promise;
  await Promise.resolve();
  expect(engines.getSnapshot()).toEqual({ share: 1, ready: true });
});

test('ends the workers on close and loads again on a later request', async () => {
  const { fetch, close } = fetched();
  const engines = new LoadedEngines(fetch);
  engines.want(BOTH);
  await engines.coming;
  engines.close();
  expect(close).toHaveBeenCalledTimes(1);
  expect(engines.face).toBeNull();
  engines.want(BOTH);
  await engines.coming;
  expect(fetch).toHaveBeenCalledTimes(2);
});
