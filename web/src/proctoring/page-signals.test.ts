import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Finding } from './finding.ts';
import { type PageParts, type PageRules, watchPageSignals } from './page-signals.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

class FakeDocument extends EventTarget {
  visibilityState = 'visible';
  focused = true;
  hasFocus() {
    return this.focused;
  }
}

function fakePage(second: boolean | null = false, change: Partial<PageRules> = {}) {
  const window = new EventTarget();
  const document = new FakeDocument();
  const covered: boolean[] = [];
  let fullscreen: (full: boolean) => void = () => undefined;
  const page: PageParts = {
    window,
    document,
    now: () => ({ monotonic: Date.now(), wall: Date.now() }),
    watchFullscreen: (onChange) => {
      fullscreen = onChange;
    },
    hasSecondScreen: () => second,
    cover: (is) => covered.push(is),
  };
  const found: Finding[] = [];
  const over = new AbortController();
  const rules = { tabHiddenMs: 2_000, cooldownMs: 10_000, fullscreen: true, ...change };
  watchPageSignals(page, rules, (one) => found.push(one), over.signal);
  const types = () => found.map(({ type }) => type);
  return {
    window,
    document,
    covered,
    over,
    types,
    found,
    exit: (full = false) => fullscreen(full),
  };
}

function fire(target: EventTarget, name: string, more: object = {}): Event {
  const event = Object.assign(new Event(name, { cancelable: true }), more);
  target.dispatchEvent(event);
  return event;
}

test('a focus that is lost for a moment is nothing; for a second and a half it is a flag', () => {
  const { window, document, types } = fakePage();
  document.focused = false;
  fire(window, 'blur');
  vi.advanceTimersByTime(1_000);
  fire(window, 'focus');
  vi.advanceTimersByTime(5_000);
  expect(types()).toEqual([]);
  fire(window, 'blur');
  vi.advanceTimersByTime(1_500);
  expect(types()).toEqual(['window_blur']);
});

test('a hidden page is told as hidden, not as a lost focus', () => {
  const { window, document, types } = fakePage();
  document.visibilityState = 'hidden';
  document.focused = false;
  fire(document, 'visibilitychange');
  fire(window, 'blur');
  vi.advanceTimersByTime(30_000);
  document.visibilityState = 'visible';
  fire(document, 'visibilitychange');
  expect(types()).toEqual(['tab_hidden']);
});

test.each(['copy', 'cut', 'paste'])(
  '%s is kept from happening and told once in a while',
  (kind) => {
    const { document, found } = fakePage();
    expect(fire(document, kind).defaultPrevented).toBe(true);
    expect(fire(document, kind).defaultPrevented).toBe(true);
    expect(found).toMatchObject([{ type: 'clipboard', notes: kind }]);
  },
);

test('the context menu and printing too; what is printed by the menu of the browser is empty', () => {
  const { window, document, types, covered } = fakePage();
  expect(fire(document, 'contextmenu').defaultPrevented).toBe(true);
  expect(fire(window, 'keydown', { key: 'p', ctrlKey: true }).defaultPrevented).toBe(true);
  expect(fire(window, 'keydown', { key: 'p' }).defaultPrevented).toBe(false);
  fire(window, 'beforeprint');
  fire(window, 'afterprint');
  expect(covered).toEqual([true, false]);
  expect(types()).toEqual(['context_menu', 'print']);
});

test('every exit from fullscreen is told; one by which the page is left is not', () => {
  const { window, types, exit } = fakePage();
  exit();
  exit(true);
  exit();
  vi.advanceTimersByTime(1_000);
  expect(types()).toEqual(['fullscreen_exit', 'fullscreen_exit']);
  exit();
  fire(window, 'pagehide');
  vi.advanceTimersByTime(1_000);
  expect(types()).toHaveLength(2);
});

test('where the rule is off, fullscreen means nothing', () => {
  const { types, exit } = fakePage(false, { fullscreen: false });
  exit();
  vi.advanceTimersByTime(1_000);
  expect(types()).toEqual([]);
});

test.each([
  [true, ['second_screen']],
  [false, []],
  [null, []],
])('a second screen is told where the browser knows of one: %s', (second, expected) => {
  expect(fakePage(second).types()).toEqual(expected);
});

test('nothing is held back or told after the end', () => {
  const { window, document, over, types, exit } = fakePage();
  exit();
  over.abort();
  expect(fire(document, 'copy').defaultPrevented).toBe(false);
  document.focused = false;
  fire(window, 'blur');
  vi.advanceTimersByTime(60_000);
  expect(types()).toEqual([]);
});
