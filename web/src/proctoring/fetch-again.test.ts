import { beforeEach, expect, test, vi } from 'vitest';
import { stopTime, stubWindowEvents } from '../testing/browser-stubs.ts';
import { fetchAgain, missingCode } from './fetch-again.ts';

const line = { onLine: true };

stopTime();
const window = stubWindowEvents();
beforeEach(() => {
  vi.stubGlobal('navigator', line);
  line.onLine = true;
});

/** A fetch that succeeds once `isHere` is set. */
function code() {
  const state = { isHere: false, isWanted: true, failures: 0 };
  const fetched = fetchAgain(
    async () => {
      if (!state.isHere) throw new Error('not fetched');
      return 'code';
    },
    () => state.isWanted,
    () => {
      state.failures += 1;
    },
  );
  return { state, fetched };
}

test('reports code as missing after three failures online, until it arrives', async () => {
  const { state, fetched } = code();
  await vi.advanceTimersByTimeAsync(9_000);
  expect(missingCode.getSnapshot().missing).toBe(0);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(missingCode.getSnapshot().missing).toBe(1);
  state.isHere = true;
  await vi.advanceTimersByTimeAsync(20_000);
  expect([await fetched, state.failures]).toEqual(['code', 1]);
  expect(missingCode.getSnapshot().missing).toBe(0);
});

test('reports nothing missing while offline or once the code is no longer wanted', async () => {
  line.onLine = false;
  const { state, fetched } = code();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(missingCode.getSnapshot().missing).toBe(0);
  line.onLine = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(missingCode.getSnapshot().missing).toBe(1);
  state.isWanted = false;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await fetched).toBeNull();
  expect(missingCode.getSnapshot().missing).toBe(0);
});

test('tries at once when the connection is back', async () => {
  line.onLine = false;
  const { state, fetched } = code();
  await vi.advanceTimersByTimeAsync(2_500);
  state.isHere = true;
  line.onLine = true;
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(1);
  expect(await Promise.race([fetched, 'waits'])).toBe('code');
});
