import { expect, test, vi } from 'vitest';
import { stopTime } from '../../testing/browser-stubs.ts';
import { RETURN_MS, watchExits } from './fullscreen-exits.ts';

stopTime({ now: 0 });

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
      // The exit itself toggles a dialog: the open one closes, or the return panel opens.
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

test('counts an exit without a dialog, however soon fullscreen returns', () => {
  const { exits, excused, leave, comeBack } = room();
  leave();
  comeBack();
  vi.advanceTimersByTime(60_000);
  expect(exits).toEqual([0]);
  expect(excused).toEqual([]);
});

test('counts an exit by Escape without a dialog', () => {
  const { exits, leave, press } = room();
  press('Escape');
  leave();
  vi.advanceTimersByTime(1_000);
  expect(exits).toHaveLength(1);
});

test('counts an exit with a dialog open at its own time if fullscreen does not return', () => {
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

test('excuses one exit only: the next one without a dialog counts', () => {
  const { exits, leave, comeBack, dialog } = room();
  dialog(true);
  leave();
  comeBack();
  dialog(false);
  leave();
  vi.advanceTimersByTime(1_000);
  expect(exits).toHaveLength(1);
});

test('excuses and records an exit with a dialog open when fullscreen returns in time', () => {
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

test('excuses an exit when the same Escape had already closed the dialog', () => {
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

test.each(['goAway', 'over'] as const)('reports nothing after %s', (end) => {
  const { exits, leave, dialog, goAway, over } = room();
  leave();
  dialog(true);
  leave();
  if (end === 'goAway') goAway();
  else over.abort();
  vi.advanceTimersByTime(60_000);
  expect(exits).toEqual([]);
});
