import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clockText } from '../../lib/format.ts';
import {
  clocksRanApart,
  extension,
  isStopped,
  phaseOf,
  remainingLeft,
  spokenTime,
  startClock,
  syncClock,
} from './attempt-clock.ts';

const MINUTE = 60_000;
const attempt = {
  startedAt: '2026-05-14T10:00:00.000Z',
  deadlineAt: '2026-05-14T10:25:00.000Z',
  remainingMs: 25 * MINUTE,
};

describe('the countdown', () => {
  test('does not increase after a later reply with more time', () => {
    const clock = startClock(attempt, 0);
    const synced = syncClock(clock, { remainingMs: 25 * MINUTE }, 60_000, 40);
    expect(remainingLeft(synced, 60_000)).toBe(24 * MINUTE);
    // It pauses until the server's time has caught up, then continues.
    expect(remainingLeft(synced, 90_000)).toBe(24 * MINUTE);
    expect(remainingLeft(synced, 150_000)).toBe(23.5 * MINUTE);
  });

  test('does not pause after a slow reply or one of unknown latency', () => {
    const clock = startClock(attempt, 0);
    for (const tookMs of [14_000, 1_001, undefined]) {
      const synced = syncClock(clock, { remainingMs: 25 * MINUTE }, 14_000, tookMs);
      expect(remainingLeft(synced, 14_000)).toBe(25 * MINUTE - 14_000);
      expect(remainingLeft(synced, 44_000)).toBe(25 * MINUTE - 44_000);
      const less = syncClock(synced, { remainingMs: 20 * MINUTE }, 60_000, tookMs);
      expect(remainingLeft(less, 61_000)).toBe(20 * MINUTE - 1_000);
    }
  });

  test('is never more than a second behind the server for any latency', () => {
    const reply = fc.record({ after: fc.nat(120_000), delay: fc.nat(15_000) });
    fc.assert(
      fc.property(fc.array(reply), (replies) => {
        const endsAt = 25 * MINUTE;
        let clock = startClock(attempt, 0);
        let now = 0;
        for (const { after, delay } of replies) {
          now += after + delay;
          const remainingMs = Math.max(0, endsAt - (now - delay));
          clock = syncClock(clock, { remainingMs }, now, delay);
          const left = remainingLeft(clock, now + 1_000);
          const behind = left - Math.max(0, endsAt - now - 1_000);
          expect(behind).toBeGreaterThanOrEqual(0);
          expect(behind).toBeLessThanOrEqual(1_000);
        }
      }),
    );
  });

  test('never increases or becomes negative while the deadline is unchanged', () => {
    const event = fc.record({
      after: fc.nat(120_000),
      remainingMs: fc.option(fc.nat(30 * MINUTE), { nil: null }),
    });
    fc.assert(
      fc.property(fc.array(event), (events) => {
        let clock = startClock(attempt, 1_000);
        let now = 1_000;
        let shown = remainingLeft(clock, now);
        for (const { after, remainingMs } of events) {
          now += after;
          if (remainingMs !== null) clock = syncClock(clock, { remainingMs }, now);
          const next = remainingLeft(clock, now);
          expect(next).toBeLessThanOrEqual(shown);
          expect(next).toBeGreaterThanOrEqual(0);
          shown = next;
        }
      }),
    );
  });

  test('detects a jump of the device clock and ignores it', () => {
    const before = { wall: 0, monotonic: 0 };
    expect(clocksRanApart(before, { wall: 30_200, monotonic: 30_000 })).toBe(false);
    expect(clocksRanApart(before, { wall: 86_430_000, monotonic: 30_000 })).toBe(true);
    expect(clocksRanApart(before, { wall: -3_570_000, monotonic: 30_000 })).toBe(true);
  });
});

test('counts down from the newest reply', () => {
  const clock = syncClock(startClock(attempt, 0), { remainingMs: 10 * MINUTE }, 5_000);
  expect(remainingLeft(clock, 5_000)).toBe(10 * MINUTE);
  expect(remainingLeft(clock, 65_000)).toBe(9 * MINUTE);
  expect(remainingLeft(clock, 65 * MINUTE)).toBe(0);
});

test('increases on an extension, and with it the time the thresholds refer to', () => {
  const clock = syncClock(
    startClock(attempt, 0),
    { remainingMs: 29 * MINUTE, deadlineAt: '2026-05-14T10:30:00.000Z' },
    MINUTE,
  );
  expect(remainingLeft(clock, MINUTE)).toBe(29 * MINUTE);
  expect(clock.totalMs).toBe(30 * MINUTE);
});

test('keeps an extension when a reply of before it arrives later', () => {
  const deadlineAt = '2026-05-14T10:30:00.000Z';
  const extended = syncClock(
    startClock(attempt, 0),
    { remainingMs: 29 * MINUTE, deadlineAt },
    MINUTE,
  );
  const { deadlineAt: earlier } = attempt;
  const before = { remainingMs: 24 * MINUTE };
  const late = MINUTE + 200;
  // A heartbeat or an event; a save, which names no deadline.
  expect(syncClock(extended, { ...before, deadlineAt: earlier }, late, 300)).toEqual(extended);
  expect(syncClock(extended, before, late, 300)).toEqual(extended);
  const after = syncClock(extended, { remainingMs: 28 * MINUTE }, 2 * MINUTE, 300);
  expect(remainingLeft(after, 2 * MINUTE)).toBe(28 * MINUTE);
});

test('turns yellow at 25 %, red at 10 %', () => {
  const total = 20 * MINUTE;
  expect(phaseOf(5 * MINUTE + 1, total)).toBe('calm');
  expect(phaseOf(5 * MINUTE, total)).toBe('short');
  expect(phaseOf(2 * MINUTE + 1, total)).toBe('short');
  expect(phaseOf(2 * MINUTE, total)).toBe('last');
  expect(phaseOf(0, total)).toBe('last');
});

test('announces 10, 5 and 1 minutes once, and nothing else', () => {
  expect(spokenTime(10 * MINUTE + 500, 10 * MINUTE - 500)).toBe('10 minutes left');
  expect(spokenTime(10 * MINUTE - 500, 10 * MINUTE - 1_500)).toBeNull();
  expect(spokenTime(5 * MINUTE + 1, 5 * MINUTE)).toBe('5 minutes left');
  expect(spokenTime(12 * MINUTE, 40_000)).toBe('1 minute left');
  // Started below the threshold.
  expect(spokenTime(4 * MINUTE, 3 * MINUTE)).toBeNull();
  expect(spokenTime(31_000, 30_000)).toBe('30 seconds left');
  expect(spokenTime(40_000, 9_000)).toBe('10 seconds left');
});

test.each([
  [-5, '00:00'],
  [1, '00:01'],
  [59_001, '01:00'],
  [3_599_000, '59:59'],
  [3_600_000, '1:00:00'],
  [3_723_000, '1:02:03'],
])('formats %i ms of a clock as %s', (ms, expected) => {
  expect(clockText(ms)).toBe(expected);
});

describe('a pause', () => {
  const { deadlineAt } = attempt;
  const moved = (ms: number) => new Date(Date.parse(deadlineAt) + ms).toISOString();
  const left = 24 * MINUTE;
  const paused = syncClock(
    startClock(attempt, 0),
    { remainingMs: left, deadlineAt, pause: { leftMs: 10 * MINUTE } },
    MINUTE,
  );

  test('stops the countdown, and lets it go on by itself', () => {
    expect(remainingLeft(paused, 11 * MINUTE)).toBe(left);
    expect(isStopped(paused, 11 * MINUTE - 1)).toBe(true);
    expect(isStopped(paused, 11 * MINUTE)).toBe(false);
    expect(remainingLeft(paused, 12 * MINUTE)).toBe(left - MINUTE);
    const over = { remainingMs: left - MINUTE, deadlineAt: moved(10 * MINUTE) };
    const after = syncClock(paused, { ...over, pausedMs: 10 * MINUTE }, 12 * MINUTE, 50);
    expect(remainingLeft(after, 12 * MINUTE)).toBe(left - MINUTE);
    expect(after.totalMs).toBe(25 * MINUTE);
    expect(extension(paused, after)).toBe(0);
  });

  test('gives back what was counted before a page learned of it', () => {
    const running = startClock({ ...attempt, remainingMs: left }, 0);
    const news = { remainingMs: left, deadlineAt, pause: { leftMs: 9 * MINUTE } };
    const late = syncClock(running, news, MINUTE, 50);
    expect(remainingLeft(late, MINUTE)).toBe(left);
    expect(remainingLeft(late, 5 * MINUTE)).toBe(left);
    expect(late.totalMs).toBe(running.totalMs);
  });

  test('ends sooner when the server says so, and no older reply begins or ends it', () => {
    const running = { remainingMs: left, deadlineAt };
    // A heartbeat that was answered before the pause, and a save during it.
    expect(syncClock(paused, running, 2 * MINUTE, 50)).toEqual(paused);
    const saved = syncClock(paused, { remainingMs: left }, 2 * MINUTE, 50);
    expect(remainingLeft(saved, 5 * MINUTE)).toBe(left);
    const news = { remainingMs: left, deadlineAt: moved(4 * MINUTE), pausedMs: 4 * MINUTE };
    const resumed = syncClock(saved, news, 5 * MINUTE);
    expect(remainingLeft(resumed, 6 * MINUTE)).toBe(left - MINUTE);
    const late = { ...running, pause: { leftMs: 9 * MINUTE } };
    expect(syncClock(resumed, late, 6 * MINUTE, 50)).toEqual(resumed);
  });

  test('tells extra time from the time of a pause', () => {
    const news = { remainingMs: left + 5 * MINUTE, deadlineAt: moved(9 * MINUTE) };
    const after = syncClock(paused, { ...news, pausedMs: 4 * MINUTE }, 5 * MINUTE);
    expect(extension(paused, after)).toBe(5 * MINUTE);
    expect(after.totalMs).toBe(30 * MINUTE);
    const loaded = startClock({ ...attempt, ...news, pausedMs: 4 * MINUTE }, 0);
    expect(loaded.totalMs).toBe(30 * MINUTE);
  });
});
