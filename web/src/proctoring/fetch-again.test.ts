import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchAgain, missingCode } from './fetch-again.ts';

const line = { onLine: true };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('navigator', line);
  line.onLine = true;
});
afterEach(() => {
  vi.useRealTimers();
});

/** Code that comes once `isHere` says so. */
function code() {
  const state = { isHere: false, isWanted: true };
  const fetched = fetchAgain(
    async () => {
      if (!state.isHere) throw new Error('not fetched');
      return 'code';
    },
    () => state.isWanted,
    () => undefined,
  );
  return { state, fetched };
}

test('code that does not come with a network is said to be missing, until it is here', async () => {
  const { state, fetched } = code();
  await vi.advanceTimersByTimeAsync(9_000);
  expect(missingCode.getSnapshot()).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(missingCode.getSnapshot()).toBe(true);
  state.isHere = true;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await fetched).toBe('code');
  expect(missingCode.getSnapshot()).toBe(false);
});

test('without a network nothing is missing yet, and what no one wants is not missed', async () => {
  line.onLine = false;
  const { state, fetched } = code();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(missingCode.getSnapshot()).toBe(false);
  line.onLine = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(missingCode.getSnapshot()).toBe(true);
  state.isWanted = false;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await fetched).toBeNull();
  expect(missingCode.getSnapshot()).toBe(false);
});
