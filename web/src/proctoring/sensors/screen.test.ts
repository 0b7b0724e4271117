import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import {
  enterFullscreen,
  enterTestFullscreen,
  leaveFullscreen,
  watchFullscreen,
} from './screen.ts';

/** A fake browser that accepts only fullscreen options it knows. */
function browser({ knows = (_: object): boolean => true, keyboard = true } = {}) {
  const asked: object[] = [];
  const held: unknown[] = [];
  vi.stubGlobal('document', {
    fullscreenEnabled: true,
    fullscreenElement: {},
    exitFullscreen: () => Promise.resolve(),
    documentElement: {
      requestFullscreen: async (options: object) => {
        if (!knows(options)) throw new TypeError('not a member of the enumeration');
        asked.push(options);
      },
    },
  });
  const locks = {
    lock: async (keys: readonly string[]) => {
      held.push(keys);
      if (held.length > 1) throw new DOMException('', 'NotAllowedError');
    },
    unlock: () => void held.push('released'),
  };
  vi.stubGlobal('navigator', keyboard ? { keyboard: locks } : {});
  return { asked, held };
}

beforeEach(() => {
  vi.stubGlobal('navigator', {});
});

test('does not lock Escape in the fullscreen trial of the device check', async () => {
  const { asked, held } = browser();
  expect(await enterFullscreen()).toBe(true);
  expect(held).toEqual([]);
  expect(asked).toEqual([{ navigationUI: 'hide' }]);
});

test('locks Escape in the test until fullscreen ends', async () => {
  const { asked, held } = browser();
  expect(await enterTestFullscreen()).toBe(true);
  expect(held).toEqual([['Escape']]);
  expect(asked).toMatchObject([{ keyboardLock: 'browser' }]);
  await leaveFullscreen();
  expect(held.at(-1)).toBe('released');
});

test('enters fullscreen when the Escape lock is unsupported or refused', async () => {
  const strange = browser({ keyboard: false, knows: (options) => !('keyboardLock' in options) });
  expect(await enterTestFullscreen()).toBe(true);
  expect(strange.asked).toEqual([{ navigationUI: 'hide' }]);
  const { held } = browser();
  await enterTestFullscreen();
  expect(await enterTestFullscreen()).toBe(true);
  expect(held).toHaveLength(2);
});

test('polls every 25 ms for the return to fullscreen', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const page = Object.assign(new EventTarget(), { fullscreenElement: {} as object | null });
  vi.stubGlobal('document', page);
  const onChange = vi.fn();
  watchFullscreen(onChange, new AbortController().signal);
  page.fullscreenElement = null;
  page.dispatchEvent(new Event('fullscreenchange'));
  expect(onChange.mock.calls).toEqual([[false]]);
  // The event may be late or missing: the poll detects the return.
  page.fullscreenElement = {};
  vi.advanceTimersByTime(24);
  expect(onChange).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(onChange.mock.calls).toEqual([[false], [true]]);
});
