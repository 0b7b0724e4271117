import { expect, test, vi } from 'vitest';
import { stopTime } from '../../testing/browser-stubs.ts';
import type { DetectedEvent } from './detected-event.ts';
import { type PageParts, type PageRules, watchPageSignals } from './page-signals.ts';

stopTime();

class FakeDocument extends EventTarget {
  visibilityState = 'visible';
  focused = true;
  hasFocus() {
    return this.focused;
  }
}

function fakePage(
  second: boolean | null | (() => boolean) = false,
  change: Partial<PageRules> = {},
) {
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
    hasSecondScreen: () => (typeof second === 'function' ? second() : second),
    hasDialog: () => false,
    cover: (is) => covered.push(is),
  };
  const found: DetectedEvent[] = [];
  const ended: DetectedEvent['type'][] = [];
  const over = new AbortController();
  const rules = {
    tabHiddenMs: 2_000,
    tabHiddenCounts: true,
    cooldownMs: 10_000,
    fullscreen: true,
    ...change,
  };
  const watch = {
    onFound: (one: DetectedEvent) => void found.push(one),
    onOver: (type: DetectedEvent['type']) => void ended.push(type),
    onExcused: () => undefined,
  };
  watchPageSignals(page, rules, watch, over.signal);
  const types = () => found.map(({ type }) => type);
  return {
    window,
    document,
    covered,
    over,
    types,
    found,
    ended,
    exit: (full = false) => fullscreen(full),
  };
}

function fire(target: EventTarget, name: string, more: object = {}): Event {
  const event = Object.assign(new Event(name, { cancelable: true }), more);
  target.dispatchEvent(event);
  return event;
}

test('flags a second screen at the start, and says when it is gone', () => {
  let second = true;
  const { types, ended, over } = fakePage(() => second);
  vi.advanceTimersByTime(60_000);
  expect([types(), ended]).toEqual([['second_screen'], []]);
  second = false;
  vi.advanceTimersByTime(60_000);
  expect([types(), ended]).toEqual([['second_screen'], ['second_screen']]);
  over.abort();
});

test('ignores a brief loss of focus and flags a longer one with its duration', () => {
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

test('reports a long loss of focus in parts', () => {
  const { window, document, found } = fakePage();
  document.focused = false;
  fire(window, 'blur');
  vi.advanceTimersByTime(15 * 60_000);
  fire(window, 'focus');
  expect(found.map(({ durationMs }) => durationMs)).toEqual([601_500, 298_500]);
});

/** Hides the page for `forMs` and leaves fullscreen `exitAfterMs` after its start. */
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
  ['just before', -100],
  ['while', 1_000],
  ['just after', 8_200],
])(
  'does not count a fullscreen exit %s the page is hidden as a second warning',
  (_, exitAfterMs) => {
    const page = fakePage();
    hide(page, 8_000, exitAfterMs);
    expect(page.types()).toEqual(['tab_hidden']);
  },
);

test.each([
  ['well before the page is hidden', {}, 8_000, -1_900, ['fullscreen_exit', 'tab_hidden']],
  ['when the page is hidden briefly', {}, 1_000, 0, ['tab_hidden_briefly', 'fullscreen_exit']],
  [
    'when the policy only records hidden pages',
    { tabHiddenCounts: false },
    8_000,
    100,
    ['tab_hidden', 'fullscreen_exit'],
  ],
])('counts a fullscreen exit %s', (_, change, forMs, exitAfterMs, expected) => {
  const page = fakePage(false, change);
  hide(page, forMs, exitAfterMs);
  expect(page.types()).toEqual(expected);
});

test('does not count the fullscreen exit of a phone that was locked', () => {
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

test('reports a hidden page as hidden, not as a loss of focus', () => {
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

test.each(['copy', 'cut', 'paste'])('prevents %s and reports it once per cool-down', (kind) => {
  const { document, found } = fakePage();
  expect(fire(document, kind).defaultPrevented).toBe(true);
  expect(fire(document, kind).defaultPrevented).toBe(true);
  expect(found).toMatchObject([{ type: 'clipboard', notes: kind }]);
});

test('prevents the context menu and printing, and blanks what the browser menu prints', () => {
  const { window, document, types, covered } = fakePage();
  expect(fire(document, 'contextmenu').defaultPrevented).toBe(true);
  expect(fire(window, 'keydown', { key: 'p', ctrlKey: true }).defaultPrevented).toBe(true);
  expect(fire(window, 'keydown', { key: 'p' }).defaultPrevented).toBe(false);
  fire(window, 'beforeprint');
  fire(window, 'afterprint');
  expect(covered).toEqual([true, false]);
  expect(types()).toEqual(['context_menu', 'print']);
});

test('ignores fullscreen exits when the rule is off', () => {
  const { types, exit } = fakePage(false, { fullscreen: false });
  exit();
  vi.advanceTimersByTime(1_000);
  expect(types()).toEqual([]);
});

test.each([
  [true, ['second_screen']],
  [false, []],
  [null, []],
])('reports a second screen if the browser exposes one: %s', (second, expected) => {
  expect(fakePage(second).types()).toEqual(expected);
});

test('prevents and reports nothing after the signal aborts', () => {
  const { window, document, over, types, exit } = fakePage();
  exit();
  over.abort();
  expect(fire(document, 'copy').defaultPrevented).toBe(false);
  document.focused = false;
  fire(window, 'blur');
  vi.advanceTimersByTime(60_000);
  expect(types()).toEqual([]);
});
