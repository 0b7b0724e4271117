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
    hasDialog: () => false,
    cover: (is) => covered.push(is),
  };
  const found: Finding[] = [];
  const over = new AbortController();
  const rules = {
    tabHiddenMs: 2_000,
    tabHiddenCounts: true,
    cooldownMs: 10_000,
    fullscreen: true,
    ...change,
  };
  const watch = { onFound: (one: Finding) => void found.push(one), onExcused: () => undefined };
  watchPageSignals(page, rules, watch, over.signal);
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

test('a focus that is lost for a moment is nothing; for longer it is a flag with its length', () => {
  const { window, document, types, found } = fakePage();
  document.focused = false;
  fire(window, 'blur');
  vi.advanceTimersByTime(1_000);
  fire(window, 'focus');
  vi.advanceTimersByTime(5_000);
  expect(types()).toEqual([]);
  fire(window, 'blur');
  vi.advanceTimersByTime(90_000);
  expect(types()).toEqual([]);
  fire(window, 'focus');
  expect(found).toMatchObject([{ type: 'window_blur', durationMs: 90_000 }]);
});

test('a focus that stays away is told in parts', () => {
  const { window, document, found } = fakePage();
  document.focused = false;
  fire(window, 'blur');
  vi.advanceTimersByTime(15 * 60_000);
  fire(window, 'focus');
  expect(found.map(({ durationMs }) => durationMs)).toEqual([601_500, 298_500]);
});

/** Hides the page for so long, fullscreen being left at that moment of it. */
function hide(page: ReturnType<typeof fakePage>, forMs: number, exitAfterMs: number) {
  const { document, exit } = page;
  const show = (visibilityState: string) => {
    document.visibilityState = visibilityState;
    fire(document, 'visibilitychange');
  };
  const steps: [number, () => void][] = [
    [0, () => show('hidden')],
    [forMs, () => show('visible')],
    [exitAfterMs, () => exit()],
  ];
  const start = Date.now() + 2_000;
  for (const [after, step] of steps.sort(([a], [b]) => a - b)) {
    vi.advanceTimersByTime(start + after - Date.now());
    step();
  }
  vi.advanceTimersByTime(5_000);
}

test.each([
  ['a moment before', -100],
  ['meanwhile', 1_000],
  ['as the page is shown again', 8_200],
])('fullscreen that is left with the page, %s, is no second warning', (_, exitAfterMs) => {
  const page = fakePage();
  hide(page, 8_000, exitAfterMs);
  expect(page.types()).toEqual(['tab_hidden']);
});

test.each([
  ['long before', {}, 8_000, -1_900, ['fullscreen_exit', 'tab_hidden']],
  [
    'of a page that was hidden for a moment',
    {},
    1_000,
    0,
    ['tab_hidden_briefly', 'fullscreen_exit'],
  ],
  [
    'where leaving the page is only recorded',
    { tabHiddenCounts: false },
    8_000,
    100,
    ['tab_hidden', 'fullscreen_exit'],
  ],
])('fullscreen that is left %s counts', (_, change, forMs, exitAfterMs, expected) => {
  const page = fakePage(false, change);
  hide(page, forMs, exitAfterMs);
  expect(page.types()).toEqual(expected);
});

test('a phone that is locked and sleeps leaves fullscreen for nothing', () => {
  const { document, exit, types } = fakePage();
  document.visibilityState = 'hidden';
  fire(document, 'visibilitychange');
  vi.setSystemTime(Date.now() + 600_000);
  vi.advanceTimersByTime(500);
  document.visibilityState = 'visible';
  fire(document, 'visibilitychange');
  exit();
  vi.advanceTimersByTime(5_000);
  expect(types()).toEqual(['device_slept']);
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
