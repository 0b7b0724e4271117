import { expect, test } from 'vitest';
import type { Finding } from './finding.ts';
import { HiddenPage, type Moment } from './hidden-page.ts';

const at = (monotonic: number, wall = monotonic): Moment => ({ monotonic, wall });

/** Hidden from 0 to `until`; the timer ticks at the given moments. */
function away(
  ticks: Moment[],
  until: Moment,
  before: HiddenPage = new HiddenPage(2_000),
): Finding[] {
  before.hidden(at(0));
  return [...ticks.flatMap((tick) => before.tick(tick)), ...before.shown(until)];
}
const every = (ms: number, until: number) =>
  Array.from({ length: Math.floor(until / ms) }, (_, i) => at((i + 1) * ms));

test('hidden for a moment is only recorded', () => {
  expect(away(every(500, 1_900), at(1_950))).toMatchObject([
    { type: 'tab_hidden_briefly', durationMs: 1_950 },
  ]);
});

test('hidden for longer while its timers ran is told once, before anyone is back', () => {
  const page = new HiddenPage(2_000);
  page.hidden(at(0));
  const found = every(1_000, 6_000).flatMap((tick) => page.tick(tick));
  // It happened when the two seconds were over.
  expect(found).toMatchObject([{ type: 'tab_hidden', at: 2_000, durationMs: 6_000 }]);
  expect(every(1_000, 60_000).flatMap((tick) => page.tick(tick))).toEqual([]);
  expect(page.shown(at(60_500))).toEqual([]);
});

test('a device that falls asleep some seconds after its lid was closed is no page that was left', () => {
  const beforeSleep = every(500, 4_500);
  expect(away([...beforeSleep, at(600_000)], at(600_500)).map(({ type }) => type)).toEqual([
    'device_slept',
  ]);
});

test('a return before the next tick is judged by its length as well', () => {
  expect(away([at(1_000)], at(2_400))).toMatchObject([{ type: 'tab_hidden', durationMs: 2_400 }]);
});

test.each([
  ['the clock of the page went on', [at(500)], at(600_000)],
  ['the clock of the page stood still', [at(500)], at(700, 600_000)],
])('a device that slept is only recorded: %s', (_, ticks, until) => {
  expect(away(ticks, until)).toMatchObject([{ type: 'device_slept' }]);
});

test.each([
  ['told by both clocks', at(3_100)],
  ['told by the wall clock alone', at(700, 3_300)],
])('a lid that was closed for three seconds is a sleep: %s', (_, until) => {
  expect(away([at(500)], until)).toMatchObject([{ type: 'device_slept' }]);
});

test('anyone who opens the lid sees a locked screen first: that is the sleep still', () => {
  const afterSleep = [at(500), at(600_000), at(601_000), at(603_000), at(605_000)];
  expect(away(afterSleep, at(605_500)).map(({ type }) => type)).toEqual(['device_slept']);
});

test('each time counts for itself', () => {
  const page = new HiddenPage(2_000);
  expect(away(every(500, 3_000), at(3_100), page)).toHaveLength(1);
  expect(page.latest).toEqual({ from: 0, until: 3_100, toldAs: 'tab_hidden' });
  page.hidden(at(5_000));
  expect(page.tick(at(6_000))).toEqual([]);
  expect(page.shown(at(6_500))).toMatchObject([{ type: 'tab_hidden_briefly', durationMs: 1_500 }]);
});

test('a sleep while the page is shown is recorded too', () => {
  const page = new HiddenPage(2_000);
  expect(page.tick(at(0))).toEqual([]);
  expect(page.tick(at(1_000))).toEqual([]);
  expect(page.tick(at(2_000, 400_000))).toMatchObject([
    { type: 'device_slept', durationMs: 399_000 },
  ]);
});
