import { describe, expect, test } from 'vitest';
import type { DetectedEvent } from './detected-event.ts';
import { HiddenPage, type Moment } from './hidden-page.ts';

const at = (monotonic: number, wall = monotonic): Moment => ({ monotonic, wall });

/** Hidden from 0 to `until`; the timer ticks at the given moments. */
function away(
  ticks: Moment[],
  until: Moment,
  before: HiddenPage = new HiddenPage(2_000),
): DetectedEvent[] {
  before.hidden(at(0));
  return [...ticks.flatMap((tick) => before.tick(tick)), ...before.shown(until)];
}
const every = (ms: number, until: number) =>
  Array.from({ length: Math.floor(until / ms) }, (_, i) => at((i + 1) * ms));

test('only records a page hidden for less than the limit', () => {
  expect(away(every(500, 1_900), at(1_950))).toMatchObject([
    { type: 'tab_hidden_briefly', durationMs: 1_950 },
  ]);
});

test('reports a page hidden for longer once, while it is still hidden', () => {
  const page = new HiddenPage(2_000);
  page.hidden(at(0));
  const found = every(1_000, 6_000).flatMap((tick) => page.tick(tick));
  // Dated to the end of the two seconds allowed.
  expect(found).toMatchObject([{ type: 'tab_hidden', at: 2_000, durationMs: 6_000 }]);
  expect(every(1_000, 60_000).flatMap((tick) => page.tick(tick))).toEqual([]);
  expect(page.shown(at(60_500))).toEqual([]);
});

test('records a sleep that begins seconds after the lid closed, not a hidden page', () => {
  const beforeSleep = every(500, 4_500);
  expect(away([...beforeSleep, at(600_000)], at(600_500)).map(({ type }) => type)).toEqual([
    'device_slept',
  ]);
});

test('reports a page hidden for longer when it returns before the next tick', () => {
  expect(away([at(1_000)], at(2_400))).toMatchObject([{ type: 'tab_hidden', durationMs: 2_400 }]);
});

test.each([
  ['the monotonic clock advanced', [at(500)], at(600_000)],
  ['the monotonic clock stopped', [at(500)], at(700, 600_000)],
])('only records a sleep: %s', (_, ticks, until) => {
  expect(away(ticks, until)).toMatchObject([{ type: 'device_slept' }]);
});

test.each([
  ['both clocks show it', at(3_100)],
  ['only the wall clock shows it', at(700, 3_300)],
])('records a lid closed for three seconds as a sleep: %s', (_, until) => {
  expect(away([at(500)], until)).toMatchObject([{ type: 'device_slept' }]);
});

test('counts the lock screen after a sleep as part of it', () => {
  const afterSleep = [at(500), at(600_000), at(601_000), at(603_000), at(605_000)];
  expect(away(afterSleep, at(605_500)).map(({ type }) => type)).toEqual(['device_slept']);
});

test('evaluates each hidden period separately', () => {
  const page = new HiddenPage(2_000);
  expect(away(every(500, 3_000), at(3_100), page)).toHaveLength(1);
  expect(page.latest).toEqual({ from: 0, until: 3_100, reportedAs: 'tab_hidden' });
  page.hidden(at(5_000));
  expect(page.tick(at(6_000))).toEqual([]);
  expect(page.shown(at(6_500))).toMatchObject([{ type: 'tab_hidden_briefly', durationMs: 1_500 }]);
});

test('records a sleep while the page is visible', () => {
  const page = new HiddenPage(2_000);
  expect(page.tick(at(0))).toEqual([]);
  expect(page.tick(at(1_000))).toEqual([]);
  expect(page.tick(at(2_000, 400_000))).toMatchObject([
    { type: 'device_slept', durationMs: 399_000 },
  ]);
});

test.each([
  ['before a timer ran', [], 600_000],
  ['after it was shown for a moment', [at(600_000)], 601_000],
])('counts a lock screen that comes after a sleep as part of it: %s', (_, woke, from) => {
  const page = new HiddenPage(2_000);
  page.tick(at(1_000));
  const found = woke.flatMap((moment) => page.tick(moment));
  page.hidden(at(from));
  const run = (since: number, until: number) =>
    every(500, until - since).flatMap(({ wall }) => page.tick(at(from + since + wall)));
  found.push(...run(0, 9_000), ...page.shown(at(from + 9_000)));
  expect(found.map(({ type }) => type)).toEqual([...woke, 1].map(() => 'device_slept'));
  // A page that is hidden later is hidden by something other than the lock screen.
  expect(run(9_000, 30_000)).toEqual([]);
  page.hidden(at(from + 30_000));
  expect([...run(30_000, 36_000), ...page.shown(at(from + 36_000))]).toMatchObject([
    { type: 'tab_hidden' },
  ]);
});

describe('after a sleep', () => {
  /** A page that slept for six seconds, awake at 7 s. */
  const woken = () => {
    const page = new HiddenPage(2_000);
    page.tick(at(1_000));
    page.tick(at(7_000));
    return page;
  };
  const leave = (page: HiddenPage, from: number, until: number) => {
    page.hidden(at(from));
    const ticks = every(1_000, until - from).flatMap(({ wall }) => page.tick(at(from + wall)));
    return [...ticks, ...page.shown(at(until))];
  };

  test('reports a page that stays hidden for more than two minutes with running timers', () => {
    expect(leave(woken(), 10_000, 600_000)).toMatchObject([
      { type: 'tab_hidden', at: 132_000, durationMs: 6_000 },
    ]);
    expect(leave(woken(), 10_000, 70_000)).toMatchObject([{ type: 'device_slept' }]);
    // They begin with the last sleep.
    const page = woken();
    page.hidden(at(10_000));
    const ticks = [...every(1_000, 40_000), at(90_000)].map(({ wall }) => at(10_000 + wall));
    expect(ticks.flatMap((tick) => page.tick(tick))).toEqual([]);
    expect(page.tick(at(102_000))).toEqual([]);
    expect(page.shown(at(140_000)).map(({ type }) => type)).toEqual(['device_slept']);
  });

  test('excuses one absence, and not the ones that follow', () => {
    const page = woken();
    expect(leave(page, 10_000, 30_000)).toMatchObject([{ type: 'device_slept' }]);
    expect(leave(page, 32_000, 60_000)).toMatchObject([{ type: 'tab_hidden' }]);
  });
});
