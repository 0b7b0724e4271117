import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Engines, LoadWishes } from './engines/load-engines.ts';
import { LoadedEngines } from './loaded-engines.ts';

function fetched() {
  const ready = Promise.withResolvers<void>();
  const close = vi.fn();
  const wished: LoadWishes[] = [];
  const fetch = vi.fn(async () => ({
    loadEngines: (wishes: LoadWishes): Engines => {
      wished.push(wishes);
      return { ready: ready.promise, close } as unknown as Engines;
    },
  }));
  return { fetch, ready, close, wished };
}

const BOTH = { face: true, voice: true };

test('nothing is fetched before someone wants it, and nothing where no sensor is on', async () => {
  const { fetch } = fetched();
  const engines = new LoadedEngines(fetch);
  engines.want({ face: false, voice: false });
  expect(await engines.coming).toBeNull();
  expect(fetch).not.toHaveBeenCalled();
});

describe('detectors that cannot be fetched', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

  test('are logged once and fetched again until they are here', async () => {
    const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { fetch } = fetched();
    fetch.mockRejectedValueOnce(new Error('offline')).mockRejectedValueOnce(new Error('offline'));
    const engines = new LoadedEngines(fetch);
    engines.want(BOTH);
    await vi.advanceTimersByTimeAsync(9_999);
    expect([fetch.mock.calls.length, engines.here]).toEqual([2, null]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await engines.coming).not.toBeNull();
    expect(engines.here).not.toBeNull();
    expect(log).toHaveBeenCalledTimes(1);
  });

  test('are fetched no more once no one wants them', async () => {
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

test('progress is told until they are ready; the same wish loads once', async () => {
  const { fetch, ready, wished } = fetched();
  const engines = new LoadedEngines(fetch);
  engines.want(BOTH);
  engines.want(BOTH);
  await engines.coming;
  expect(fetch).toHaveBeenCalledTimes(1);
  wished[0]?.onProgress?.(0.4);
  expect(engines.getSnapshot()).toEqual({ share: 0.4, ready: false });
  ready.resolve();
  await ready.promise;
  await Promise.resolve();
  expect(engines.getSnapshot()).toEqual({ share: 1, ready: true });
});

test('closing ends the workers, and a later wish loads again', async () => {
  const { fetch, close } = fetched();
  const engines = new LoadedEngines(fetch);
  engines.want(BOTH);
  await engines.coming;
  engines.close();
  expect(close).toHaveBeenCalledTimes(1);
  expect(engines.here).toBeNull();
  engines.want(BOTH);
  await engines.coming;
  expect(fetch).toHaveBeenCalledTimes(2);
});
