import { beforeEach, expect, test, vi } from 'vitest';
import { enterFullscreen, enterTestFullscreen, leaveFullscreen } from './fullscreen.ts';

/** A browser in fullscreen, as far as it knows the options it is asked with. */
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

test('the try of the device check leaves Escape to the browser', async () => {
  const { asked, held } = browser();
  expect(await enterFullscreen()).toBe(true);
  expect(held).toEqual([]);
  expect(asked).toEqual([{ navigationUI: 'hide' }]);
});

test('in the test a short Escape belongs to the page, until fullscreen is over', async () => {
  const { asked, held } = browser();
  expect(await enterTestFullscreen()).toBe(true);
  expect(held).toEqual([['Escape']]);
  expect(asked).toMatchObject([{ keyboardLock: 'browser' }]);
  await leaveFullscreen();
  expect(held.at(-1)).toBe('released');
});

test('a browser that knows no lock, or refuses it, goes into fullscreen all the same', async () => {
  const strange = browser({ keyboard: false, knows: (options) => !('keyboardLock' in options) });
  expect(await enterTestFullscreen()).toBe(true);
  expect(strange.asked).toEqual([{ navigationUI: 'hide' }]);
  const { held } = browser();
  await enterTestFullscreen();
  expect(await enterTestFullscreen()).toBe(true);
  expect(held).toHaveLength(2);
});
