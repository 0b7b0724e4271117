import { beforeEach, expect, test, vi } from 'vitest';
import { blockDoubleTaps, isDoubleTap } from './double-tap.ts';

/** The parts of the browser's touch events that are used. */
class FakeTouchEvent extends Event {
  readonly changedTouches: { clientX: number; clientY: number }[];
  readonly touches: unknown[];
  readonly #at: number;

  constructor(at: number, x: number, { y = 100, fingersLeft = 0 } = {}) {
    super('touchend', { cancelable: true });
    this.#at = at;
    this.changedTouches = [{ clientX: x, clientY: y }];
    this.touches = Array.from({ length: fingersLeft });
  }

  override get timeStamp() {
    return this.#at;
  }
}

beforeEach(() => {
  vi.stubGlobal('TouchEvent', FakeTouchEvent);
  vi.stubGlobal('Element', class {});
});

/** Whether each tap reaches the page. */
function taps(...events: FakeTouchEvent[]): boolean[] {
  const page = new EventTarget();
  blockDoubleTaps(page, new AbortController().signal);
  return events.map((event) => page.dispatchEvent(event));
}

test('blocks the second of two taps on one place within 300 ms', () => {
  expect(taps(new FakeTouchEvent(1_000, 50), new FakeTouchEvent(1_300, 55))).toEqual([true, false]);
});

test('lets through later taps, taps on another place and two fingers', () => {
  expect(taps(new FakeTouchEvent(1_000, 50), new FakeTouchEvent(1_301, 50))).toEqual([true, true]);
  expect(taps(new FakeTouchEvent(1_000, 50), new FakeTouchEvent(1_100, 200))).toEqual([true, true]);
  const pinch = [
    new FakeTouchEvent(1_000, 50, { fingersLeft: 1 }),
    new FakeTouchEvent(1_050, 50, { fingersLeft: 0 }),
  ];
  expect(taps(...pinch)).toEqual([true, true]);
});

test('blocks nothing after the signal aborts', () => {
  const page = new EventTarget();
  const ended = new AbortController();
  blockDoubleTaps(page, ended.signal);
  ended.abort();
  page.dispatchEvent(new FakeTouchEvent(1_000, 50));
  expect(page.dispatchEvent(new FakeTouchEvent(1_100, 50))).toBe(true);
});

test('does not treat the first tap as a double tap', () => {
  expect(isDoubleTap(null, { at: 0, x: 0, y: 0 })).toBe(false);
});
