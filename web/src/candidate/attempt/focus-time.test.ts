import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FocusTime } from './focus-time.ts';

const page = { hidden: false, isFocused: true };

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(page, { hidden: false, isFocused: true });
  vi.stubGlobal('document', {
    get hidden() {
      return page.hidden;
    },
    hasFocus: () => page.isFocused,
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Looks every quarter of a second, as the countdown does. */
function pass(time: FocusTime, seconds: number, shown: number | null): void {
  for (let i = 0; i < seconds * 4; i += 1) {
    vi.advanceTimersByTime(250);
    time.look(shown);
  }
}

test('adds the time of each question that is in view', () => {
  const time = new FocusTime();
  expect(time.seconds).toBeUndefined();
  pass(time, 10, 0);
  pass(time, 5, 2);
  pass(time, 3, null);
  pass(time, 2, 0);
  expect(time.seconds).toEqual([12, 0, 5]);
});

test('counts no time behind another window, hidden or asleep', () => {
  const time = new FocusTime();
  pass(time, 4, 0);
  page.isFocused = false;
  pass(time, 4, 0);
  Object.assign(page, { hidden: true, isFocused: true });
  pass(time, 4, 0);
  page.hidden = false;
  vi.advanceTimersByTime(3_600_000);
  time.look(0);
  pass(time, 1, 0);
  expect(time.seconds).toEqual([5]);
});
