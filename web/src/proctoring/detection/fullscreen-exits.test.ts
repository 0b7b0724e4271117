import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RETURN_MS, watchExits } from './fullscreen-exits.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

function room() {
  const window = new EventTarget();
  const over = new AbortController();
  const exits: number[] = [];
  const excused: boolean[] = [];
  const backs: [at: number, durationMs: number][] = [];
  let isOpen = false;
  let full: (is: boolean) => void = () => undefined;
  const page = {
    window,
    now: () => ({ monotonic: Date.now() }),
    hasDialog: () => isOpen,
    watchFullscreen: (onChange: (is: boolean) => void) => {
      full = onChange;
    },
  };
  const watch = {
    onExit: (at: number) => void exits.push(at),
    onExcused: (is: boolean) => void excused.push(is),
    onBack: (...back: [number, number]) => void backs.push(back),
  };
  watchExits(page, watch, over.signal);
  return {
    exits,
    excused,
    backs,
    over,
    leave: () => {
      window.dispatchEvent(new Event('fullscreenchange'));
      // What was open goes, and the panel that asks to come back stands there.
      const before = isOpen;
      isOpen = !before;
      full(false);
      isOpen = before;
    },
    comeBack: () => full(true),
    dialog: (open: boolean) => {
      isOpen = open;
    },
    press: (key: string) => window.dispatchEvent(Object.assign(new Event('keydown'), { key })),
    goAway: () => window.dispatchEvent(new Event('pagehide')),
  };
}

test('without a dialog an exit counts, however soon they are back', () => {
  const { exits, excused, leave, comeBack } = room();
  leave();
  comeBack();
  vi.advanceTimersByTime(60_000);
  expect(exits).toEqual([0]);
  expect(excused).toEqual([]);
});

test('an Escape with nothing to close excuses nothing', () => {
  const { exits, leave, press } = room();
  press('Escape');
  leave();
  vi.advanceTimersByTime(1_000);
  expect(exits).toHaveLength(1);
});

test('with a dialog open it counts for those who stay away, by the time of the exit', () => {
  const { exits, excused, leave, dialog } = room();
  dialog(true);
  vi.advanceTimersByTime(500);
  leave();
  vi.advanceTimersByTime(RETURN_MS - 1);
  expect(exits).toEqual([]);
  expect(excused).toEqual([true]);
  vi.advanceTimersByTime(1);
  expect(exits).toEqual([500]);
  expect(excused).toEqual([true, false]);
});

test('an excuse is good once: the next exit without a dialog counts at once', () => {
  const { exits, leave, comeBack, dialog } = room();
  dialog(true);
  leave();
  comeBack();
  dialog(false);
  leave();
  vi.advanceTimersByTime(1_000);
  expect(exits).toHaveLength(1);
});

test('Escape on an open dialog costs no one a warning who is back in time, and is written down', () => {
  const { exits, excused, backs, leave, comeBack, dialog } = room();
  dialog(true);
  leave();
  vi.advanceTimersByTime(RETURN_MS - 1);
  comeBack();
  vi.advanceTimersByTime(60_000);
  expect(exits).toEqual([]);
  expect(excused).toEqual([true, false]);
  expect(backs).toEqual([[0, RETURN_MS - 1]]);
});

test('nor where the same press has closed the dialog before fullscreen was left', () => {
  const { exits, excused, leave, comeBack, dialog, press } = room();
  dialog(true);
  press('Escape');
  dialog(false);
  vi.advanceTimersByTime(900);
  leave();
  expect(excused).toEqual([true]);
  comeBack();
  vi.advanceTimersByTime(60_000);
  expect(exits).toEqual([]);
});

test.each(['goAway', 'over'] as const)('nothing is told after the end: %s', (end) => {
  const { exits, leave, dialog, goAway, over } = room();
  leave();
  dialog(true);
  leave();
  if (end === 'goAway') goAway();
  else over.abort();
  vi.advanceTimersByTime(60_000);
  expect(exits).toEqual([]);
});
